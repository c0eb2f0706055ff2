import type { Sha256 } from './bytes.ts'
import { nodeHash, rootOf } from './merkle.ts'

/*
 * Tiles of the hash tree (c2sp.org/tlog-tiles). A tile of level 0 holds up to 256 leaf hashes, a tile of a higher level
 * the roots of up to 256 full tiles of the level below.
 */

export const TILE_WIDTH = 256

/** Reads hash number `index` of a level: at level l, the root over 256^l leaves, from leaf index·256^l on. */
export type HashReader = (level: number, index: number) => Uint8Array

export interface Tile {
  readonly level: number
  readonly n: number
  readonly width: number
}

const LEVELS = 7

export const hashesAt = (level: number, size: number): number => Math.floor(size / TILE_WIDTH ** level)

export function tileOf(level: number, index: number, size: number): Tile {
  const n = Math.floor(index / TILE_WIDTH)
  return { level, n, width: Math.min(TILE_WIDTH, hashesAt(level, size) - n * TILE_WIDTH) }
}

export function edgeTiles(size: number): Tile[] {
  const tiles: Tile[] = []
  for (let level = 0; level < LEVELS; level++) {
    const count = hashesAt(level, size)
    if (count % TILE_WIDTH !== 0) tiles.push({ level, n: Math.floor(count / TILE_WIDTH), width: count % TILE_WIDTH })
  }
  return tiles
}

/** Returns the root over the leaves [start, end). These leaves must form a subtree, as RFC 6962 splits a tree. */
function subtreeHash(sha256: Sha256, read: HashReader, start: number, end: number): Uint8Array {
  const size = end - start
  const whole = powerFrom(size)
  if (whole !== size) {
    const middle = start + whole / 2
    return nodeHash(sha256, subtreeHash(sha256, read, start, middle), subtreeHash(sha256, read, middle, end))
  }
  let level = 0
  while (TILE_WIDTH ** (level + 1) <= size) level++
  const span = TILE_WIDTH ** level
  const hashes = Array.from({ length: size / span }, (_, at) => read(level, start / span + at))
  return rootOf(sha256, hashes)
}

function powerFrom(count: number): number {
  let power = 1
  while (power < count) power *= 2
  return power
}

export const rootOfTiles = (sha256: Sha256, read: HashReader, size: number): Uint8Array =>
  size === 0 ? rootOf(sha256, []) : subtreeHash(sha256, read, 0, size)

/** Returns a leaf's audit path in a tree of `size` leaves (RFC 6962 section 2.1.1). Throws if there is no such leaf. */
export function inclusionProof(sha256: Sha256, read: HashReader, index: number, size: number): Uint8Array[] {
  if (!(index >= 0 && index < size)) throw new RangeError(`no leaf ${index} in a tree of ${size}`)
  const path: Uint8Array[] = []
  let [start, end] = [0, size]
  while (end - start > 1) {
    const middle = start + powerFrom(end - start) / 2
    const isLeft = index < middle
    path.push(isLeft ? subtreeHash(sha256, read, middle, end) : subtreeHash(sha256, read, start, middle))
    if (isLeft) end = middle
    else start = middle
  }
  return path.toReversed()
}

/** Returns the consistency proof of RFC 6962 section 2.1.2. Throws if `oldSize` is negative or above `newSize`. */
export function consistencyProof(sha256: Sha256, read: HashReader, oldSize: number, newSize: number): Uint8Array[] {
  if (!(oldSize >= 0 && oldSize <= newSize)) throw new RangeError(`no tree of ${oldSize} in one of ${newSize}`)
  if (oldSize === 0 || oldSize === newSize) return []
  const proof: Uint8Array[] = []
  let [start, end] = [0, newSize]
  while (end !== oldSize) {
    const middle = start + powerFrom(end - start) / 2
    const isLeft = oldSize <= middle
    proof.push(isLeft ? subtreeHash(sha256, read, middle, end) : subtreeHash(sha256, read, start, middle))
    if (isLeft) end = middle
    else start = middle
  }
  // If `start` is 0, the old tree is a single subtree, and the verifier already knows its root.
  if (start > 0) proof.push(subtreeHash(sha256, read, start, end))
  return proof.toReversed()
}

/** Returns the tiles that `compute` reads in a tree of this size, by one run of `compute` with hashes of zeros. */
export function tilesRead(size: number, compute: (sha256: Sha256, read: HashReader) => unknown): Tile[] {
  const nothing = new Uint8Array(32)
  const tiles = new Map<string, Tile>()
  compute(
    () => nothing,
    (level, index) => {
      const tile = tileOf(level, index, size)
      tiles.set(`${tile.level} ${tile.n}`, tile)
      return nothing
    },
  )
  return [...tiles.values()]
}

/** Returns a tile's path below the log's prefix. `tile/0/x001/234.p/5` is tile 1234 of level 0, with 5 hashes. */
export const tilePath = (level: number, n: number, width: number): string => `tile/${level}/${numberPath(n, width)}`

export const entriesPath = (n: number, width: number): string => `tile/entries/${numberPath(n, width)}`

function numberPath(n: number, width: number): string {
  const digits = String(n)
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/.{3}/g) ?? []
  const path = groups.map((group, at) => (at < groups.length - 1 ? `x${group}` : group)).join('/')
  return width === TILE_WIDTH ? path : `${path}.p/${width}`
}

/** Parses the path of a tile; null unless it is exactly what `tilePath` writes (levels 0 to 63, widths 1 to 256). */
export function parseTilePath(path: string): Tile | null {
  const [, level = '', rest = ''] = /^tile\/(\d{1,2})\/(.+)$/s.exec(path) ?? []
  const number = parseNumberPath(rest)
  const tile = number === null ? null : { level: Number(level), ...number }
  return tile !== null && tile.level <= 63 && tilePath(tile.level, tile.n, tile.width) === path ? tile : null
}

export function parseEntriesPath(path: string): { readonly n: number; readonly width: number } | null {
  const bundle = parseNumberPath(/^tile\/entries\/(.+)$/s.exec(path)?.[1] ?? '')
  return bundle !== null && entriesPath(bundle.n, bundle.width) === path ? bundle : null
}

function parseNumberPath(path: string): { n: number; width: number } | null {
  const [, groups, width = String(TILE_WIDTH)] = /^((?:x\d{3}\/){0,5}\d{3})(?:\.p\/(\d{1,3}))?$/.exec(path) ?? []
  if (groups === undefined) return null
  const number = { n: Number(groups.replace(/[x/]/g, '')), width: Number(width) }
  return Number.isSafeInteger(number.n) && number.width >= 1 && number.width <= TILE_WIDTH ? number : null
}
