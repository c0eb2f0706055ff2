import { equalBytes, type Sha256 } from './bytes.ts'

/* The hash tree of RFC 6962 section 2.1 over lists of leaf hashes. Indexes and sizes are whole numbers below 2^53. */

export const HASH_BYTES = 32

export function leafHash(sha256: Sha256, bytes: Uint8Array): Uint8Array {
  const preimage = new Uint8Array(bytes.length + 1)
  preimage.set(bytes, 1)
  return sha256(preimage)
}

export function nodeHash(sha256: Sha256, left: Uint8Array, right: Uint8Array): Uint8Array {
  // A hash that is too short would leave bytes of the previous call in `NODE`.
  if (left.length !== HASH_BYTES || right.length !== HASH_BYTES) NODE.fill(0, 1)
  NODE.set(left, 1)
  NODE.set(right, 1 + HASH_BYTES)
  return sha256(NODE)
}

/** The buffer for the bytes of an inner node, allocated once for speed. */
const NODE = new Uint8Array(2 * HASH_BYTES + 1)
NODE[0] = 1

export function rootOf(sha256: Sha256, leafHashes: readonly Uint8Array[]): Uint8Array {
  let level = leafHashes
  while (level.length > 1) level = parentsOf(sha256, level)
  return level[0] ?? sha256(new Uint8Array())
}

/**
 * Returns the root, and for every leaf its audit path (RFC 6962 section 2.1.1). Each inner node is hashed once.
 * @param show converts a hash to its form in the paths
 */
export function rootAndPaths<Shown>(
  sha256: Sha256,
  leafHashes: readonly Uint8Array[],
  show: (hash: Uint8Array) => Shown,
): { readonly root: Uint8Array; readonly paths: readonly Shown[][] } {
  const paths: Shown[][] = leafHashes.map(() => [])
  let level = leafHashes
  for (let height = 0; level.length > 1; height++) {
    const shown = level.map(show)
    for (const [leaf, path] of paths.entries()) {
      const sibling = shown[(leaf >> height) ^ 1]
      if (sibling !== undefined) path.push(sibling)
    }
    level = parentsOf(sha256, level)
  }
  return { root: rootOf(sha256, level), paths }
}

function parentsOf(sha256: Sha256, level: readonly Uint8Array[]): Uint8Array[] {
  const parents: Uint8Array[] = []
  for (let at = 0; at < level.length; at += 2) {
    const [left, right] = [level[at], level[at + 1]]
    if (left !== undefined) parents.push(right === undefined ? left : nodeHash(sha256, left, right))
  }
  return parents
}

/** Returns the root that an audit path leads to (RFC 9162 section 2.1.3.2); null if the path does not fit. */
export function rootFromPath(
  sha256: Sha256,
  leafHash: Uint8Array,
  index: number,
  size: number,
  path: readonly Uint8Array[],
): Uint8Array | null {
  if (!isCount(index) || !isCount(size) || index >= size || !areHashes([leafHash, ...path])) return null
  let [at, last, hash] = [index, size - 1, leafHash]
  for (const sibling of path) {
    if (last === 0) return null
    if (at % 2 === 1 || at === last) {
      hash = nodeHash(sha256, sibling, hash)
      while (at % 2 === 0 && at !== 0) [at, last] = [half(at), half(last)]
    } else hash = nodeHash(sha256, hash, sibling)
    ;[at, last] = [half(at), half(last)]
  }
  return last === 0 ? hash : null
}

export interface Consistency {
  readonly oldSize: number
  readonly oldRoot: Uint8Array
  readonly newSize: number
  readonly newRoot: Uint8Array
  /** The consistency proof of RFC 6962 section 2.1.2; empty for an old size of 0 and for equal sizes. */
  readonly proof: readonly Uint8Array[]
}

/** Returns whether the new tree begins with the whole old one (RFC 9162 section 2.1.4.2). */
export function isConsistent(sha256: Sha256, { oldSize, oldRoot, newSize, newRoot, proof }: Consistency): boolean {
  if (!isCount(oldSize) || !isCount(newSize) || oldSize > newSize) return false
  if (!areHashes([oldRoot, newRoot, ...proof])) return false
  if (oldSize === 0 && !equalBytes(oldRoot, rootOf(sha256, []))) return false
  if (oldSize === newSize) return proof.length === 0 && equalBytes(oldRoot, newRoot)
  if (oldSize === 0) return proof.length === 0

  let [at, last] = [oldSize - 1, newSize - 1]
  while (at % 2 === 1) [at, last] = [half(at), half(last)]
  // If the old tree is one whole subtree of the new tree, the proof leaves out its root, which the verifier knows.
  const [first, ...rest] = at === 0 ? [oldRoot, ...proof] : proof
  if (first === undefined) return false
  let [oldHash, newHash] = [first, first]
  for (const hash of rest) {
    if (last === 0) return false
    if (at % 2 === 1 || at === last) {
      oldHash = nodeHash(sha256, hash, oldHash)
      newHash = nodeHash(sha256, hash, newHash)
      while (at % 2 === 0 && at !== 0) [at, last] = [half(at), half(last)]
    } else newHash = nodeHash(sha256, newHash, hash)
    ;[at, last] = [half(at), half(last)]
  }
  return last === 0 && equalBytes(oldHash, oldRoot) && equalBytes(newHash, newRoot)
}

const half = (value: number) => Math.floor(value / 2)
const isCount = (value: number) => Number.isSafeInteger(value) && value >= 0
const areHashes = (hashes: readonly Uint8Array[]) => hashes.every(({ length }) => length === HASH_BYTES)
