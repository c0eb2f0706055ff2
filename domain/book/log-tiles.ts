import { equalBytes, type Sha256, toBase64 } from './bytes.ts'
import type { Checkpoint } from './checkpoint.ts'
import type { Fault, FaultKind } from './faults.ts'
import { HASH_BYTES, rootOf } from './merkle.ts'
import { edgeTiles, type HashReader, hashesAt, rootOfTiles, TILE_WIDTH, tilePath, tilesRead } from './tiles.ts'

/* The tree of a log that somebody else serves: every tile is verified against the signed root (c2sp.org/tlog-tiles). */

export interface BookHead extends Checkpoint {
  readonly note: string
}

export class BookFaultError extends Error {
  override readonly name = 'BookFaultError'
  readonly fault: Fault
  constructor(fault: Fault) {
    super(fault.kind)
    this.fault = fault
  }
}

export const fail = (kind: FaultKind, about: Partial<Omit<Fault, 'kind'>> = {}): never => {
  throw new BookFaultError({ kind, index: null, round: null, ...about })
}

export function requireSame(
  kind: FaultKind,
  index: number | null,
  expected: Uint8Array,
  found: Uint8Array | null,
): void {
  if (found === null || !equalBytes(found, expected))
    fail(kind, { index, expected: toBase64(expected), found: found === null ? null : toBase64(found) })
}

const MOST_TILES = 512

export interface LogTiles {
  readonly sha256: Sha256
  readonly inLog: (path: string) => Promise<Uint8Array | null>
  /** Cached full tiles, which do not change as the log grows. */
  readonly full: Map<string, Promise<Uint8Array>>
  readonly edges: WeakMap<BookHead, Promise<ReadonlyMap<number, Uint8Array>>>
}

async function fetchTile({ inLog }: LogTiles, level: number, n: number, width: number): Promise<Uint8Array> {
  const bytes = await inLog(tilePath(level, n, width))
  if (bytes?.length === width * HASH_BYTES) return bytes
  return fail('tile-hash', {
    index: n * TILE_WIDTH ** (level + 1),
    expected: width * HASH_BYTES,
    found: bytes?.length ?? null,
  })
}

async function fetchEdge(tiles: LogTiles, head: BookHead): Promise<ReadonlyMap<number, Uint8Array>> {
  const edge = new Map<number, Uint8Array>()
  await Promise.all(
    edgeTiles(head.size).map(async ({ level, n, width }) => edge.set(level, await fetchTile(tiles, level, n, width))),
  )
  const root = rootOfTiles(
    tiles.sha256,
    (level, index) => hashIn(edge.get(level) ?? new Uint8Array(), index % TILE_WIDTH),
    head.size,
  )
  requireSame('tile-hash', null, head.root, root)
  return edge
}

export function edgeOf(tiles: LogTiles, head: BookHead): Promise<ReadonlyMap<number, Uint8Array>> {
  const edge = tiles.edges.get(head) ?? fetchEdge(tiles, head)
  tiles.edges.set(head, edge)
  edge.catch(() => tiles.edges.delete(head))
  return edge
}

export async function tile(tiles: LogTiles, head: BookHead, level: number, n: number): Promise<Uint8Array> {
  const edge = await edgeOf(tiles, head)
  if ((n + 1) * TILE_WIDTH > hashesAt(level, head.size)) return edge.get(level) ?? fail('tile-hash')
  const name = `${level}/${n}`
  const kept = tiles.full.get(name)
  if (kept !== undefined) return kept
  const fetched = fetchFullTile(tiles, head, level, n)
  tiles.full.set(name, fetched)
  if (tiles.full.size > MOST_TILES) tiles.full.delete(tiles.full.keys().next().value ?? '')
  fetched.catch(() => tiles.full.delete(name))
  return fetched
}

async function fetchFullTile(tiles: LogTiles, head: BookHead, level: number, n: number): Promise<Uint8Array> {
  const [bytes, expected] = await Promise.all([
    fetchTile(tiles, level, n, TILE_WIDTH),
    hashAt(tiles, head, level + 1, n),
  ])
  requireSame('tile-hash', n * TILE_WIDTH ** (level + 1), expected, rootOf(tiles.sha256, hashesIn(bytes)))
  return bytes
}

export const hashAt = async (tiles: LogTiles, head: BookHead, level: number, index: number): Promise<Uint8Array> =>
  hashIn(await tile(tiles, head, level, Math.floor(index / TILE_WIDTH)), index % TILE_WIDTH)

async function rootAt(tiles: LogTiles, head: BookHead, size: number): Promise<Uint8Array> {
  const compute = (hash: Sha256, reader: HashReader) => rootOfTiles(hash, reader, size)
  const read = new Map<string, Uint8Array>()
  await Promise.all(
    tilesRead(head.size, compute).map(async ({ level, n }) =>
      read.set(`${level}/${n}`, await tile(tiles, head, level, n)),
    ),
  )
  return compute(tiles.sha256, (level, index) => {
    const bytes = read.get(`${level}/${Math.floor(index / TILE_WIDTH)}`) ?? new Uint8Array()
    return hashIn(bytes, index % TILE_WIDTH)
  })
}

export async function checkExtends(tiles: LogTiles, head: BookHead, older: BookHead): Promise<void> {
  const found = older.size > head.size ? null : await rootAt(tiles, head, older.size)
  requireSame('note-forked', older.size, older.root, found)
}

/** Returns whether the newest tree begins with a smaller one; null if a needed tile is missing or wrong. */
export async function isPrefix(tiles: LogTiles, newest: BookHead, smaller: BookHead): Promise<boolean | null> {
  try {
    return equalBytes(await rootAt(tiles, newest, smaller.size), smaller.root)
  } catch (error) {
    if (error instanceof BookFaultError) return null
    throw error
  }
}

const hashIn = (tile: Uint8Array, at: number): Uint8Array => tile.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES)

export const hashesIn = (tile: Uint8Array): Uint8Array[] =>
  Array.from({ length: tile.length / HASH_BYTES }, (_, at) => hashIn(tile, at))
