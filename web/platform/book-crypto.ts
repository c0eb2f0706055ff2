import { hashes, verify } from '@noble/ed25519'
import { sha256 as hash256, sha512 } from '@noble/hashes/sha2.js'

/**
 * SHA-256 and Ed25519 for checking the open book (docs/open-book.md §5), in JavaScript: `crypto.subtle` exists only in
 * secure contexts (https, localhost) and returns a promise for each hash.
 */

// The synchronous `verify` of @noble/ed25519 needs this hash function.
hashes.sha512 = sha512

export const sha256 = (bytes: Uint8Array): Uint8Array => hash256(bytes)

/** Verifies an Ed25519 signature (RFC 8032) of 64 bytes with a key of 32 bytes. Malformed input returns false. */
export function verifyEd25519(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  try {
    // `zip215: false` refuses a non-canonical encoding of a point, as RFC 8032 demands.
    return verify(signature, message, publicKey, { zip215: false })
  } catch {
    return false
  }
}
