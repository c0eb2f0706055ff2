import { createHmac, createPrivateKey, createPublicKey, hash, randomBytes, sign, verify } from 'node:crypto'
import { join } from 'node:path'
import { fromBase64, type Sha256, toBase64, toHex, toUtf8 } from '#domain/book/bytes.ts'
import { ED25519, formatNote, formatVkey, keyIdOf, verifierKey, type VerifyEd25519 } from '#domain/book/note.ts'
import { readKeyFile, readOrCreateKeyFile } from '#server/platform/process/key-file.ts'
import type { Settings } from '#server/platform/process/settings.ts'

/** Thrown if the key of the open book is missing or malformed. The message is one line for the operator. */
export class BookKeyError extends Error {
  override readonly name = 'BookKeyError'
}

export interface BookSigner {
  readonly origin: string
  /** The public key of the log, written as a verifier key (c2sp.org/signed-note). */
  readonly vkey: string
  /**
   * Signs `text`, which must end with a newline, and returns the note. For a checkpoint `name` is the log's origin; for
   * another kind of note it is the origin and the kind, such as `<origin>/promise`.
   */
  signNote(name: string, text: string): string
}

export interface BookKey {
  readonly publicKey: Uint8Array
  /** The log's name if LOG_ORIGIN is not set: `kim-phien/` and 8 hex digits of the public key's SHA-256. */
  readonly defaultOrigin: string
  sign(message: Uint8Array): Uint8Array
  signerOf(origin: string): BookSigner
}

/** A hash as a 'buffer' would allocate its own memory. The binary string is copied into Node's buffer pool instead. */
export const sha256: Sha256 = (bytes) => Buffer.from(hash('sha256', bytes, 'binary'), 'binary')

/** DER bytes before the 32 bytes of an Ed25519 key: of a private key in PKCS #8, of a public key in SPKI (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')

export const verifyEd25519: VerifyEd25519 = (publicKey, message, signature) => {
  try {
    const key = createPublicKey({ key: Buffer.concat([SPKI_PREFIX, publicKey]), format: 'der', type: 'spki' })
    return verify(null, message, key, signature)
  } catch {
    return false
  }
}

const KEY_BYTES = 32
const FILE = 'log.key'

type BookKeySettings = Pick<Settings, 'logKey' | 'auditKey' | 'dataDir'>

/**
 * Returns the key of this process (docs/open-book.md §1): LOG_KEY, else a key derived from AUDIT_KEY, else the key in
 * the file `log.key` in DATA_DIR.
 * @param create true creates a missing file, as a server does at its first start
 * @throws BookKeyError if there is no key, or the key is malformed
 */
export function loadBookKey({ logKey, auditKey, dataDir }: BookKeySettings, create: boolean): BookKey {
  if (logKey !== null) return bookKeyOf(decodeKey(logKey) ?? unreadable('LOG_KEY'))
  if (auditKey !== null) return bookKeyOf(createHmac('sha256', auditKey).update('log key v1').digest())
  const path = join(dataDir, FILE)
  const text = create ? readOrCreateKeyFile(path, () => toBase64(randomBytes(KEY_BYTES))) : readKeyFile(path)
  if (text === null)
    throw new BookKeyError(
      `Set LOG_KEY or AUDIT_KEY, or DATA_DIR to the folder of the server: ${dataDir} has no ${FILE}, and none was made.`,
    )
  return bookKeyOf(decodeKey(text) ?? unreadable(path))
}

function decodeKey(text: string): Uint8Array | null {
  const bytes = fromBase64(text)
  return bytes?.length === KEY_BYTES ? bytes : null
}

function unreadable(where: string): never {
  throw new BookKeyError(`${where} is not a key of the open book: restore it from a backup`)
}

/** @param secret the private key, 32 bytes (RFC 8032 section 5.1.5) */
export function bookKeyOf(secret: Uint8Array): BookKey {
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, secret]), format: 'der', type: 'pkcs8' })
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
  const publicKey = Uint8Array.from(spki.subarray(SPKI_PREFIX.length))
  const signed = (message: Uint8Array) => Uint8Array.from(sign(null, message, privateKey))
  return {
    publicKey,
    sign: signed,
    defaultOrigin: `kim-phien/${toHex(sha256(publicKey).subarray(0, 4))}`,
    signerOf: (origin) => ({
      origin,
      vkey: formatVkey(verifierKey(sha256, origin, ED25519, publicKey)),
      signNote(name, text) {
        const keyId = keyIdOf(sha256, name, ED25519, publicKey)
        return formatNote({ text, signatures: [{ name, keyId, signature: signed(toUtf8(text)) }] })
      },
    }),
  }
}
