import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { Transform } from 'node:stream'

/*
 * The bytes of an encrypted file: MAGIC, 32 random bytes (the salt), then chunks of AES-256-GCM, each followed by its
 * tag of 16 bytes. All chunks but the last hold CHUNK bytes. The nonce of a chunk contains its number and a flag for
 * the last chunk (the STREAM construction); MAGIC and salt are authenticated with each chunk. So a chunk does not open
 * if it was changed, left out, repeated, moved, cut or taken from another file.
 */
const MAGIC = Buffer.from('kim-phien backup 1\n')
const SALT_BYTES = 32
const HEAD_BYTES = MAGIC.length + SALT_BYTES
const TAG_BYTES = 16
const CHUNK = 256 * 1024

export class SealBrokenError extends Error {
  override readonly name = 'SealBrokenError'
}

/** Derives the key of a file from its salt. Equal nonces in two files do no harm, because their keys differ. */
const keyOf = (secret: Uint8Array, salt: Uint8Array) =>
  Buffer.from(hkdfSync('sha256', secret, salt, 'kim-phien backup v1', 32))

function nonceOf(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(index, 5, 6)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

export function sealing(secret: Uint8Array): Transform {
  const salt = randomBytes(SALT_BYTES)
  const head = Buffer.concat([MAGIC, salt])
  const key = keyOf(secret, salt)
  let index = 0
  const seal = (chunk: Buffer, isLast: boolean): Buffer => {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(index++, isLast)).setAAD(head)
    return Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()])
  }
  return inChunks(
    CHUNK,
    (stream) => stream.push(head),
    (chunk) => seal(chunk, false),
    (rest) => seal(rest, true),
  )
}

/**
 * Returns a stream that decrypts. No byte of a chunk is passed on before the whole chunk is verified.
 * @param secret 32 bytes
 * @throws SealBrokenError (as the stream's error) for a file that was changed or cut, or sealed with another key
 */
export function opening(secret: Uint8Array): Transform {
  let head: Buffer | null = null
  let key = Buffer.alloc(0)
  let index = 0
  const open = (sealed: Buffer, isLast: boolean): Buffer => {
    const at = sealed.length - TAG_BYTES
    if (at < 0 || head === null) throw new SealBrokenError('The file is cut off.')
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(index++, isLast), { authTagLength: TAG_BYTES })
      .setAAD(head)
      .setAuthTag(sealed.subarray(at))
    try {
      return Buffer.concat([decipher.update(sealed.subarray(0, at)), decipher.final()])
    } catch (error) {
      throw new SealBrokenError('The file is damaged or cut off, or it was sealed with another key.', { cause: error })
    }
  }
  let begin = Buffer.alloc(0)
  const body = inChunks(
    CHUNK + TAG_BYTES,
    () => {},
    (chunk) => open(chunk, false),
    (rest) => open(rest, true),
  )
  const takeBody = body._transform.bind(body)
  body._transform = (bytes: Buffer, encoding, done) => {
    if (head !== null) return takeBody(bytes, encoding, done)
    begin = Buffer.concat([begin, bytes])
    if (begin.length < HEAD_BYTES) return done()
    if (!begin.subarray(0, MAGIC.length).equals(MAGIC)) return done(new SealBrokenError('The file is no backup.'))
    head = begin.subarray(0, HEAD_BYTES)
    key = keyOf(secret, head.subarray(MAGIC.length))
    takeBody(begin.subarray(HEAD_BYTES), encoding, done)
  }
  return body
}

/** Cuts bytes into chunks of `size`. `last` gets the rest: 1 to `size` bytes, or none if there was no input. */
function inChunks(
  size: number,
  begin: (stream: Transform) => void,
  each: (chunk: Buffer) => Buffer,
  last: (rest: Buffer) => Buffer,
): Transform {
  let held: Buffer[] = []
  let heldBytes = 0
  const stream = new Transform({
    transform(bytes: Buffer, _encoding, done) {
      try {
        held.push(bytes)
        heldBytes += bytes.length
        if (heldBytes > size) {
          let all = Buffer.concat(held)
          // A full chunk may be the last one, so it is held back until more bytes arrive.
          for (; all.length > size; all = all.subarray(size)) this.push(each(all.subarray(0, size)))
          held = [all]
          heldBytes = all.length
        }
        done()
      } catch (error) {
        done(error as Error)
      }
    },
    flush(done) {
      try {
        this.push(last(Buffer.concat(held)))
        done()
      } catch (error) {
        done(error as Error)
      }
    },
  })
  begin(stream)
  return stream
}
