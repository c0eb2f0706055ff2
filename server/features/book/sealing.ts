import { setImmediate as nextTurn } from 'node:timers/promises'
import { encodeBundle } from '#domain/book/bundle.ts'
import { toBase64, toUtf8 } from '#domain/book/bytes.ts'
import { formatCheckpoint } from '#domain/book/checkpoint.ts'
import { encodeEntry, encodeFields, type BeatTick, type EntryKind } from '#domain/book/entry.ts'
import { HASH_BYTES, leafHash } from '#domain/book/merkle.ts'
import { TILE_WIDTH } from '#domain/book/tiles.ts'
import type { Queryable, Row, Tx } from '#server/platform/database/db.ts'
import { sql, statement } from '#server/platform/database/sql.ts'
import { type BookSigner, sha256 } from './key.ts'
import { type Edge, extendEdge, type NewNode, rootOfEdge } from './stored-tiles.ts'

export interface NewEntry {
  readonly kind: EntryKind
  readonly line: string
  readonly atMs: number
  readonly roundId: string | null
  readonly betId: string | null
}

export const newEntry = (kind: EntryKind, atMs: number, fields: string): NewEntry => ({
  kind,
  line: encodeEntry(kind, atMs, fields),
  atMs,
  roundId: null,
  betId: null,
})

/** A batch with this many entries takes no more rows from the queue. If rows are left, another batch follows. */
export const BATCH = 2_048
/** Entries are hashed in slices of at most this size, so that other events are served between slices. */
const SLICE = 256

const PLACED: ReadonlySet<EntryKind> = new Set<EntryKind>(['round', 'bet', 'announce', 'result', 'closed'])
const NOTABLE: ReadonlySet<EntryKind> = new Set<EntryKind>([
  'rules',
  'seed',
  'seed-open',
  'announce',
  'act',
  'feed',
  'dispute',
  'restart',
])

interface QueueRow extends Row {
  seq: bigint
  kind: EntryKind
  at_ms: bigint
  fields: string | null
  round_id: string | null
  /** Ids of the row's bets. `commitments` has 32 bytes per bet, in this order. Both are null unless `kind` is `bet`. */
  bets: string[] | null
  commitments: Uint8Array | null
}

/**
 * Takes the visible rows with the lowest `seq` from the queue (docs/open-book.md §1). If transaction A committed before
 * transaction B began, A's entries stand before B's. Rows of open transactions are not visible yet, and delay no
 * others. The caller has locked the tip.
 * @param most once this many entries are taken, no further row is taken
 */
export async function takeQueued(tx: Tx, most: number): Promise<NewEntry[]> {
  const { rows } = await tx.query<QueueRow>(
    `with waiting as (
       select seq, coalesce(cardinality(bets), 1) as entries from book_queue order by seq limit $1),
     counted as (
       select seq, sum(entries) over (order by seq) - entries as before from waiting),
     taken as (
       delete from book_queue where seq = any(array(select seq from counted where before < $1))
       returning seq, kind, at_ms, fields, round_id, bets, commitments)
     select * from taken order by seq`,
    [most],
    { name: 'book_take' },
  )
  return rows.flatMap(entriesOfRow)
}

function entriesOfRow({ kind, at_ms, fields, round_id: roundId, bets, commitments }: QueueRow): NewEntry[] {
  const atMs = Number(at_ms)
  if (fields !== null) return [{ ...newEntry(kind, atMs, fields), roundId }]
  if (roundId === null || bets === null || commitments === null) throw new Error('A queued row has no entry')
  return bets.map((betId, at) => {
    const c = toBase64(commitments.subarray(HASH_BYTES * at, HASH_BYTES * (at + 1)))
    return { ...newEntry(kind, atMs, encodeFields('bet', { round: roundId, c })), roundId, betId }
  })
}

export interface Beat {
  /** Database time, Unix ms, or the time of the previous beat if that is later. */
  readonly atMs: number
  readonly ticks: readonly BeatTick[]
  /** For each live source, the newest second whose tick is in this beat or an earlier one. */
  readonly told: Readonly<Record<string, number>>
}

/** Keeps a `beat` below the limit of 65,535 bytes per entry. More ticks, as after a downtime, go into later beats. */
const TICKS_IN_A_BEAT = 600
/** If a second's tick is missing, later ticks of its source are held back, at most until this long after the second. */
const WAIT_FOR_TICK_MS = 3_000

/**
 * Reads the next beat. For each live source with rounds that have not ended, the beat has the ticks since the first of
 * these rounds opened, except those up to the source's last tick in an earlier beat of this log.
 * @param ticksSql SQL of the ticks whose second has come, given by the feature `market`
 */
export async function readBeat(
  q: Queryable,
  ticksSql: string,
  lastAtMs: number,
  told: Readonly<Record<string, number>>,
): Promise<Beat> {
  const { rows } = await q.query<{
    now_ms: bigint
    source: string | null
    second: bigint | null
    price: number | null
    quote_at: Date | null
  }>(
    `select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms, t.*
       from (select 1) one
       left join lateral (
         select t.source, t.second, t.price, t.quote_at
           from (select price_source, floor(extract(epoch from min(opens_at)))::bigint as first_second from rounds
                  where status <> 'ended' and price_source <> 'simulated' group by price_source) r
           cross join lateral (select * from ${ticksSql} t
             where t.source = r.price_source
               and t.second >= greatest(r.first_second, coalesce(($1::jsonb ->> r.price_source)::bigint + 1, 0))
             order by t.second limit $2) t
          order by t.source, t.second limit $2) t on true`,
    [JSON.stringify(told), TICKS_IN_A_BEAT],
    { name: 'book_beat' },
  )
  const nowMs = Number(rows[0]?.now_ms ?? 0n)
  const newTold: Record<string, number> = { ...told }
  const ticks: BeatTick[] = []
  const heldBack = new Set<string>()
  for (const row of rows) {
    if (row.source === null || row.second === null || heldBack.has(row.source)) continue
    const second = Number(row.second)
    const last = newTold[row.source]
    if (last !== undefined && second > last + 1 && (last + 1) * 1000 + WAIT_FOR_TICK_MS > nowMs) {
      heldBack.add(row.source)
      continue
    }
    const age = row.quote_at === null ? null : second * 1000 - row.quote_at.getTime()
    ticks.push([row.source, second, row.price, age])
    newTold[row.source] = second
  }
  return { atMs: Math.max(nowMs, lastAtMs), ticks, told: newTold }
}

export interface SignedHead {
  readonly generation: number
  readonly size: number
  readonly root: Uint8Array
  readonly note: string
  readonly beatAtMs: number
}

/**
 * Appends the entries and a beat, signs the new note, and commits. The caller has locked the row of the newest note,
 * and has checked that `edge` has the root hash of this note, or is empty if the log has no note.
 */
export async function appendAndCommit(
  tx: Tx,
  generation: number,
  signer: BookSigner,
  edge: Edge,
  entries: readonly NewEntry[],
  beat: Beat,
): Promise<SignedHead> {
  const all = [...entries, newEntry('beat', beat.atMs, encodeFields('beat', { ticks: beat.ticks }))]
  const rows: { first: number; count: number; entries: Uint8Array; leafHashes: Uint8Array }[] = []
  const nodes: NewNode[] = []
  let grown = edge
  for (let from = 0; from < all.length;) {
    const index = edge.size + from
    const slice = all.slice(from, from + Math.min(SLICE, TILE_WIDTH - (index % TILE_WIDTH)))
    const bytes = slice.map(({ line }) => toUtf8(line))
    const hashes = bytes.map((entry) => leafHash(sha256, entry))
    const step = extendEdge(grown, hashes)
    grown = step.edge
    nodes.push(...step.nodes)
    rows.push({ first: index, count: slice.length, entries: encodeBundle(bytes), leafHashes: Buffer.concat(hashes) })
    from += slice.length
    if (from < all.length) await nextTurn()
  }
  const root = rootOfEdge(grown)
  const note = signer.signNote(signer.origin, formatCheckpoint({ origin: signer.origin, size: grown.size, root }))
  const indexed = all.map((entry, at) => ({ ...entry, index: BigInt(edge.size + at) }))
  const placed = indexed.filter(({ kind, roundId }) => roundId !== null && PLACED.has(kind))
  const notable = indexed.filter(({ kind }) => NOTABLE.has(kind))
  await tx.commitWith(
    ...APPEND({
      generation,
      firsts: rows.map(({ first }) => BigInt(first)),
      counts: rows.map(({ count }) => count),
      bundles: rows.map((row) => row.entries),
      leafHashes: rows.map((row) => row.leafHashes),
      nodeLevels: nodes.map(({ level }) => level),
      nodeIndexes: nodes.map(({ index }) => BigInt(index)),
      nodeHashes: nodes.map(({ hash }) => hash),
      beatAtMs: BigInt(beat.atMs),
      placeRounds: placed.map(({ roundId }) => roundId),
      placeIndexes: placed.map(({ index }) => index),
      placeKinds: placed.map(({ kind }) => kind),
      placeBets: placed.map(({ betId }) => betId),
      notableIndexes: notable.map(({ index }) => index),
      notableKinds: notable.map(({ kind }) => kind),
      notableTimes: notable.map(({ atMs }) => BigInt(atMs)),
      notableLines: notable.map(({ line }) => line),
      size: BigInt(grown.size),
      note,
      told: JSON.stringify(beat.told),
    }),
  )
  return { generation, size: grown.size, root, note, beatAtMs: beat.atMs }
}

// An entry queued twice by mistake is appended twice, so that checkers find the fault; book_places has the first index.
const APPEND = statement(
  sql`with entries as (
      insert into book_entries (generation, first_index, count, entries, leaf_hashes)
      select ${'generation'}::integer, * from unnest(${'firsts'}::bigint[], ${'counts'}::integer[],
        ${'bundles'}::bytea[], ${'leafHashes'}::bytea[])
    ), nodes as (
      insert into book_nodes (generation, level, index, hash)
      select ${'generation'}::integer, * from unnest(${'nodeLevels'}::smallint[], ${'nodeIndexes'}::bigint[],
        ${'nodeHashes'}::bytea[])
    ), places as (
      insert into book_places (generation, sealed_at_ms, round_id, index, kind, bet_id)
      select ${'generation'}::integer, ${'beatAtMs'}::bigint, * from unnest(${'placeRounds'}::uuid[],
        ${'placeIndexes'}::bigint[], ${'placeKinds'}::text[], ${'placeBets'}::uuid[])
      on conflict do nothing
    ), notable as (
      insert into book_notable (generation, index, kind, at_ms, line)
      select ${'generation'}::integer, * from unnest(${'notableIndexes'}::bigint[], ${'notableKinds'}::text[],
        ${'notableTimes'}::bigint[], ${'notableLines'}::text[])
    )
    update book_tips
       set size = ${'size'}::bigint, note = ${'note'}, beat_at_ms = ${'beatAtMs'}::bigint, ticks_told = ${'told'}::jsonb
     where generation = ${'generation'}::integer`,
  { name: 'book_append' },
)
