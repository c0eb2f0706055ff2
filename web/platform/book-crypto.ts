import { hashes, verify } from '@noble/ed25519'
import { sha256 as hash256, sha512 } from '@noble/hashes/sha2.js'

/**
 * What a checker of the open book needs (docs/open-book.md §5), in JavaScript: `crypto.subtle` exists only on https and
 * would take a promise for each of many thousand hashes.
 */

// verify() without a promise takes its hash function from here.
hashes.sha512 = sha512

export const sha256 = (bytes: Uint8Array): Uint8Array => hash256(bytes)

/** Ed25519 (RFC 8032), with a key of 32 bytes and a signature of 64. Malformed ones are false. */
export function verifyEd25519(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  try {
    // As strict as OpenSSL and Go about keys and signatures that are written in an unusual way.
    return verify(signature, message, publicKey, { zip215: false })
  } catch {
    return false
  }
}
