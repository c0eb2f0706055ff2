import { equalBytes, fromBase64, type Sha256, toBase64 } from './bytes.ts'
import { parseDecimal } from './checkpoint.ts'
import { HASH_BYTES, leafHash, rootAndPaths, rootFromPath } from './merkle.ts'
import { ED25519, type VerifierKey, verifierKey, type VerifyEd25519, verifyNote } from './note.ts'

/*
 * The promise that a bet will be in the log (docs/open-book.md §3): a note that signs the tree of a batch of bets, and
 * the bet's place in this tree. The content of a leaf is a bet's commitment, 32 bytes.
 */

export interface BetPromise {
  readonly note: string
  readonly index: number
  readonly size: number
  readonly path: readonly string[]
}

export const promiseName = (origin: string): string => `${origin}/promise`

export const promiseText = (origin: string, root: Uint8Array, atMs: number): string =>
  `${promiseName(origin)}\n${toBase64(root)}\n${atMs}\n`

export function promiseTree(
  sha256: Sha256,
  commitments: readonly Uint8Array[],
): { readonly root: Uint8Array; readonly paths: readonly string[][] } {
  const leaves = commitments.map((commitment) => leafHash(sha256, commitment))
  return rootAndPaths(sha256, leaves, toBase64)
}

export const promiseKey = (sha256: Sha256, logKey: VerifierKey): VerifierKey =>
  verifierKey(sha256, promiseName(logKey.name), ED25519, logKey.publicKey)

export type PromiseProblem = 'promise-signature' | 'promise-text' | 'promise-path'

/** Returns the time of acceptance that the log signed for this commitment, in Unix ms; or the fault of the promise. */
export function checkPromise(
  sha256: Sha256,
  verifyEd25519: VerifyEd25519,
  logKey: VerifierKey,
  promise: BetPromise,
  commitment: Uint8Array,
): { readonly atMs: number } | PromiseProblem {
  const note = verifyNote(promise.note, [promiseKey(sha256, logKey)], verifyEd25519)
  if (typeof note === 'string') return 'promise-signature'
  const [name, rootText = '', atText = '', ...rest] = note.text.split('\n')
  const [root, atMs] = [fromBase64(rootText), parseDecimal(atText)]
  const isWhole = rest.length === 1 && rest[0] === ''
  if (name !== promiseName(logKey.name) || root?.length !== HASH_BYTES || atMs === null || !isWhole)
    return 'promise-text'
  const path = promise.path.map((hash) => fromBase64(hash) ?? new Uint8Array())
  const found = rootFromPath(sha256, leafHash(sha256, commitment), promise.index, promise.size, path)
  return found !== null && equalBytes(found, root) ? { atMs } : 'promise-path'
}
