import { decodeBundle } from '#domain/book/bundle.ts'
import { equalBytes, type Sha256 } from '#domain/book/bytes.ts'
import { hashesIn } from '#domain/book/log-tiles.ts'
import { HASH_BYTES, leafHash, rootOf } from '#domain/book/merkle.ts'
import { edgeTiles, hashesAt, type HashReader, TILE_WIDTH, tilesRead } from '#domain/book/tiles.ts'
import type { Queryable } from '#server/platform/database/db.ts'
import { sha256 } from './key.ts'

/*
 * A row of book_entries holds successive entries of one tile and their leaf hashes. A row of book_nodes holds one hash
 * of a level above 0. Tiles (of hashes) and bundles (of entries) of any width are cut from rows (c2sp.org/tlog-tiles).
 */

export interface Edge {
  readonly size: number
  /** For each level, the hashes of its last tile if that tile is not full; else no hashes. */
  readonly levels: readonly (readonly Uint8Array[])[]
}

export const EMPTY_EDGE: Edge = { size: 0, levels: [] }

/** Thrown if stored hashes are missing, are more than the signed log has, or do not give the root hash in its note. */
export class StoredHashesError extends Error {
  override readonly name = 'StoredHashesError'
}

/**
 * Reads the edge of a log's first `size` entries.
 * @throws StoredHashesError if hashes are missing or, with `isWhole`, if leaf hashes of later entries are stored
 */
export async function readEdge(q: Queryable, generation: number, size: number, isWhole: boolean): Promise<Edge> {
  const firstLeaf = size - (size % TILE_WIDTH)
  const tiles = edgeTiles(size).filter(({ level }) => level > 0)
  const { rows } = await q.query<{ level: number; hashes: Uint8Array }>(
    `select 0 as level, string_agg(leaf_hashes, ''::bytea order by first_index) as hashes from book_entries
      where generation = $1 and first_index >= $2::bigint and ($4::boolean or first_index < $3::bigint)
      having count(*) > 0
     union all
     select n.level::integer, string_agg(n.hash, ''::bytea order by n.index)
       from unnest($5::smallint[], $6::bigint[], $7::bigint[]) as t(level, first, past)
       join book_nodes n on n.generation = $1 and n.level = t.level and n.index >= t.first and n.index < t.past
      group by n.level`,
    [
      generation,
      BigInt(firstLeaf),
      BigInt(size),
      isWhole,
      tiles.map(({ level }) => level),
      tiles.map(({ n }) => BigInt(n * TILE_WIDTH)),
      tiles.map(({ n, width }) => BigInt(n * TILE_WIDTH + width)),
    ],
    { name: 'book_edge' },
  )
  const levels: Uint8Array[][] = []
  for (let level = 0; hashesAt(level, size) > 0 || level === 0; level++) {
    const width = hashesAt(level, size) % TILE_WIDTH
    const stored = hashesIn(rows.find((row) => row.level === level)?.hashes ?? new Uint8Array())
    if (stored.length < width)
      throw new StoredHashesError(`level ${level}: ${width - stored.length} hashes are missing`)
    if (isWhole && stored.length > width)
      throw new StoredHashesError(`level ${level}: ${stored.length - width} hashes beyond the signed log`)
    levels.push(stored.slice(0, width))
  }
  return { size, levels }
}

/**
 * Returns the root hash of a log with this edge. On each level, the root of all lower levels is added as the last hash,
 * because it is the root of the log's last subtree, which is not full yet (RFC 6962).
 */
export function rootOfEdge({ levels }: Edge): Uint8Array {
  let last: readonly Uint8Array[] = []
  for (const hashes of levels) {
    const all = [...hashes, ...last]
    last = all.length === 0 ? [] : [rootOf(sha256, all)]
  }
  return rootOf(sha256, last)
}

export interface NewNode {
  readonly level: number
  readonly index: number
  readonly hash: Uint8Array
}

export function extendEdge(edge: Edge, leafHashes: readonly Uint8Array[]): { edge: Edge; nodes: NewNode[] } {
  const levels = edge.levels.map((hashes) => [...hashes])
  const nodes: NewNode[] = []
  let size = edge.size
  const push = (level: number, hash: Uint8Array): void => {
    const hashes = (levels[level] ??= [])
    hashes.push(hash)
    if (hashes.length < TILE_WIDTH) return
    const node = { level: level + 1, index: hashesAt(level + 1, size) - 1, hash: rootOf(sha256, hashes) }
    levels[level] = []
    nodes.push(node)
    push(level + 1, node.hash)
  }
  for (const hash of leafHashes) {
    size++
    push(0, hash)
  }
  return { edge: { size, levels }, nodes }
}

/**
 * Returns the first `width` hashes of a tile. The caller has checked that the log is large enough to have them; null if
 * some of them are missing in the database all the same.
 */
export async function readTile(
  q: Queryable,
  generation: number,
  { level, n, width }: { readonly level: number; readonly n: number; readonly width: number },
): Promise<Uint8Array | null> {
  const first = BigInt(n) * BigInt(TILE_WIDTH)
  const { rows } =
    level === 0
      ? await q.query<{ hashes: Uint8Array | null }>(
          `select string_agg(leaf_hashes, ''::bytea order by first_index) as hashes from book_entries
            where generation = $1 and first_index >= $2::bigint and first_index < $3::bigint`,
          [generation, first, first + BigInt(width)],
          { name: 'book_tile_of_leaves' },
        )
      : await q.query<{ hashes: Uint8Array | null }>(
          `select string_agg(hash, ''::bytea order by index) as hashes from book_nodes
            where generation = $1 and level = $4 and index >= $2::bigint and index < $3::bigint`,
          [generation, first, first + BigInt(width), level],
          { name: 'book_tile_of_nodes' },
        )
  const hashes = rows[0]?.hashes ?? new Uint8Array()
  return hashes.length < HASH_BYTES * width ? null : hashes.subarray(0, HASH_BYTES * width)
}

/**
 * Runs `compute` over a log's first `size` entries, after reading only the tiles that it needs.
 * @throws StoredHashesError when a tile is missing
 */
export async function computeFromTiles<Result>(
  q: Queryable,
  generation: number,
  size: number,
  compute: (sha256: Sha256, read: HashReader) => Result,
): Promise<Result> {
  const tiles = new Map<string, readonly Uint8Array[]>()
  await Promise.all(
    tilesRead(size, compute).map(async (tile) => {
      const hashes = await readTile(q, generation, tile)
      if (hashes === null) throw new StoredHashesError(`level ${tile.level}: tile ${tile.n} is missing`)
      tiles.set(`${tile.level} ${tile.n}`, hashesIn(hashes))
    }),
  )
  return compute(sha256, (level, index) => {
    const hash = tiles.get(`${level} ${Math.floor(index / TILE_WIDTH)}`)?.[index % TILE_WIDTH]
    if (hash === undefined) throw new StoredHashesError(`level ${level}: hash ${index} is missing`)
    return hash
  })
}

/**
 * Returns the first `width` entries of bundle `n`. The caller has checked that the log is large enough to have them;
 * null if some of them are missing in the database all the same.
 */
export async function readBundle(
  q: Queryable,
  generation: number,
  n: number,
  width: number,
): Promise<Uint8Array | null> {
  const first = n * TILE_WIDTH
  const { rows } = await q.query<{ first_index: bigint; count: number; entries: Uint8Array }>(
    `select first_index, count, entries from book_entries
      where generation = $1 and first_index >= $2::bigint and first_index < $3::bigint order by first_index`,
    [generation, BigInt(first), BigInt(first + width)],
    { name: 'book_bundle' },
  )
  const parts: Uint8Array[] = []
  let index = first
  for (const row of rows) {
    if (Number(row.first_index) !== index) return null
    const wanted = Math.min(row.count, first + width - index)
    parts.push(wanted === row.count ? row.entries : row.entries.subarray(0, endOfEntries(row.entries, wanted)))
    index += wanted
  }
  return index === first + width ? Buffer.concat(parts) : null
}

/**
 * Checks that the hashes of a full tile give the hash that is stored one level above and, at level 0, that they are the
 * hashes of the stored entries. The edge contains partial tiles only, so it does not show a change in a full tile.
 */
export async function isTileWhole(q: Queryable, generation: number, level: number, n: number): Promise<boolean> {
  const [hashes, node, bundle] = await Promise.all([
    readTile(q, generation, { level, n, width: TILE_WIDTH }),
    q.query<{ hash: Uint8Array }>(
      'select hash from book_nodes where generation = $1 and level = $2 and index = $3',
      [generation, level + 1, n],
      { name: 'book_node' },
    ),
    level === 0 ? readBundle(q, generation, n, TILE_WIDTH) : null,
  ])
  if (hashes === null || !equalBytes(rootOf(sha256, hashesIn(hashes)), node.rows[0]?.hash ?? new Uint8Array()))
    return false
  if (level > 0) return true
  const entries = bundle === null ? null : decodeBundle(bundle)
  return entries !== null && equalBytes(Buffer.concat(entries.map((entry) => leafHash(sha256, entry))), hashes)
}

/** Returns the offset at which the first `count` entries end. Each entry stands after its length, a 16-bit number. */
function endOfEntries(bundle: Uint8Array, count: number): number {
  let end = 0
  for (let at = 0; at < count; at++) end += 2 + (bundle[end] ?? 0) * 256 + (bundle[end + 1] ?? 0)
  return end
}
