import { concatBytes, fromBase64, fromHex, type Sha256, toBase64, toHex, toUtf8 } from './bytes.ts'
import { cosignedText, decodeCosignature } from './cosignature.ts'

/*
 * Signed notes and verifier keys (c2sp.org/signed-note). Characters above U+FFFF are refused although the standard
 * allows them, because `toUtf8` cannot encode them.
 */

export type VerifyEd25519 = (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean

export const ED25519 = 0x01
export const COSIGNATURE = 0x04

export interface NoteSignature {
  readonly name: string
  readonly keyId: string
  readonly signature: Uint8Array
}

export interface Note {
  readonly text: string
  readonly signatures: readonly NoteSignature[]
}

export interface VerifierKey {
  readonly name: string
  readonly keyId: string
  readonly type: typeof ED25519 | typeof COSIGNATURE
  readonly publicKey: Uint8Array
}

const KEY_BYTES = 32
const ID_BYTES = 4
const MOST_SIGNATURES = 64
const isName = (name: string) => /^[^\s+\p{Z}\p{Cc}\p{Cs}]+$/u.test(name)

export const formatSignature = ({ name, keyId, signature }: NoteSignature): string =>
  `— ${name} ${toBase64(concatBytes(fromHex(keyId) ?? new Uint8Array(), signature))}\n`

export const formatNote = ({ text, signatures }: Note): string => `${text}\n${signatures.map(formatSignature).join('')}`

/** Parses a note with 1 to 64 signature lines; null for any other text. Verifies nothing. */
export function parseNote(note: string): Note | null {
  const split = note.lastIndexOf('\n\n')
  // oxlint-disable-next-line no-control-regex -- the standard forbids these very characters
  if (split < 0 || !note.endsWith('\n') || /[\u0000-\u0009\u000b-\u001f\ud800-\udfff]/.test(note)) return null
  const signatures = parseSignatures(note.slice(split + 2))
  return signatures === null ? null : { text: note.slice(0, split + 1), signatures }
}

export function parseSignatures(lines: string): NoteSignature[] | null {
  if (!lines.endsWith('\n')) return null
  const signatures: NoteSignature[] = []
  for (const line of lines.slice(0, -1).split('\n')) {
    const [dash, name = '', base64 = '', ...more] = line.split(' ')
    const bytes = fromBase64(base64)
    if (dash !== '—' || !isName(name) || more.length > 0 || bytes === null || bytes.length <= ID_BYTES) return null
    signatures.push({ name, keyId: toHex(bytes.subarray(0, ID_BYTES)), signature: bytes.subarray(ID_BYTES) })
  }
  return signatures.length <= MOST_SIGNATURES ? signatures : null
}

/** Returns the key id: the first four bytes, in hex, of SHA-256 over name, newline, type and public key. */
export const keyIdOf = (sha256: Sha256, name: string, type: number, publicKey: Uint8Array): string =>
  toHex(sha256(concatBytes(toUtf8(name), Uint8Array.of(0x0a, type), publicKey)).subarray(0, ID_BYTES))

export const verifierKey = (
  sha256: Sha256,
  name: string,
  type: VerifierKey['type'],
  publicKey: Uint8Array,
): VerifierKey => ({ name, keyId: keyIdOf(sha256, name, type, publicKey), type, publicKey })

export const formatVkey = ({ name, keyId, type, publicKey }: VerifierKey): string =>
  `${name}+${keyId}+${toBase64(concatBytes(Uint8Array.of(type), publicKey))}`

/** Parses a verifier key. Null if it is malformed, its type is unknown, or its id does not match its public key. */
export function parseVkey(sha256: Sha256, vkey: string): VerifierKey | null {
  const [, name = '', keyId = '', base64 = ''] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/s.exec(vkey) ?? []
  const [type, ...publicKey] = fromBase64(base64) ?? []
  if (!isName(name) || (type !== ED25519 && type !== COSIGNATURE) || publicKey.length !== KEY_BYTES) return null
  const key = verifierKey(sha256, name, type, Uint8Array.from(publicKey))
  return key.keyId === keyId ? key : null
}

export interface VerifiedNote {
  readonly text: string
  readonly verified: readonly {
    readonly key: VerifierKey
    readonly line: NoteSignature
    readonly time: number | null
  }[]
}

/** Why a note is not trusted. One wrong signature by a known key makes the whole note untrusted. */
export type NoteProblem = 'malformed' | 'not-signed' | 'wrong-signature'

export function verifyNote(
  note: string,
  keys: readonly VerifierKey[],
  verifyEd25519: VerifyEd25519,
): VerifiedNote | NoteProblem {
  const parsed = parseNote(note)
  if (parsed === null) return 'malformed'
  const verified: VerifiedNote['verified'][number][] = []
  for (const line of parsed.signatures) {
    const key = keys.find(({ name, keyId }) => name === line.name && keyId === line.keyId)
    if (key === undefined) continue
    const cosignature = key.type === COSIGNATURE ? decodeCosignature(line.signature) : null
    const signature = key.type === COSIGNATURE ? cosignature?.signature : line.signature
    const signed = cosignature === null ? parsed.text : cosignedText(parsed.text, cosignature.time)
    if (signature?.length !== 64 || !verifyEd25519(key.publicKey, toUtf8(signed), signature)) return 'wrong-signature'
    verified.push({ key, line, time: cosignature?.time ?? null })
  }
  return verified.length === 0 ? 'not-signed' : { text: parsed.text, verified }
}
