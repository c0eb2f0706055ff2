import { hashes, verify } from '@noble/ed25519'
import { sha256 as hash256, sha512 } from '@noble/hashes/sha2.js'

/**
 * The two functions that a checker of the open book needs (docs/open-book.md §5), in JavaScript: `crypto.subtle` exists
 * only on https and answers later, once for each of many thousand hashes. Imported only by parts that load on demand.
 */

// verify() without a promise takes its hash function from here.
hashes.sha512 = sha512

/** SHA-256: 32 bytes. */
export const sha256 = (bytes: Uint8Array): Uint8Array => hash256(bytes)

/**
 * Whether this is the key's signature under the message (Ed25519, RFC 8032). Malformed keys and signatures are false.
 *
 * @param publicKey 32 bytes
 * @param signature 64 bytes
 */
export function verifyEd25519(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  try {
    // As strict as OpenSSL and Go about keys and signatures that are written in an unusual way.
    return verify(signature, message, publicKey, { zip215: false })
  } catch {
    return false
  }
}
