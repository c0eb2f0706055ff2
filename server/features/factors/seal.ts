import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { derivedKey } from '#server/features/audit/index.ts'

/*
 * TOTP secrets are needed in clear at every check, so they can't be hashed. They are encrypted with a key that is
 * derived from the audit log's key. All processes have that key, but it is not in the database (decision 023).
 */
const IV_BYTES = 12
const TAG_BYTES = 16
const key = () => derivedKey('second factor secrets v1')

/** Encrypts a secret with AES-256-GCM, bound to the user's id: `unseal` throws for another id. */
export function seal(secret: Uint8Array, userId: string): Uint8Array {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key(), iv).setAAD(Buffer.from(userId))
  const sealed = Buffer.concat([cipher.update(secret), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed])
}

/** @throws if `sealed` was made with another key or for another user */
export function unseal(sealed: Uint8Array, userId: string): Uint8Array {
  const bytes = Buffer.from(sealed)
  const decipher = createDecipheriv('aes-256-gcm', key(), bytes.subarray(0, IV_BYTES))
    .setAAD(Buffer.from(userId))
    .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()])
}
