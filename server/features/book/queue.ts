import { encodeFields, type EntryFields, type EntryKind } from '#domain/book/entry.ts'
import type { Queryable } from '#server/platform/database/db.ts'
import { type Sql, sql, sqlText, statement } from '#server/platform/database/sql.ts'

type SingleKind = Exclude<EntryKind, 'bet'>

export type EntryToQueue = {
  readonly [Kind in SingleKind]: {
    readonly kind: Kind
    readonly fields: EntryFields[Kind]
    /** Time of the entry, Unix ms. If absent, the database takes the time at which the entry is queued. */
    readonly atMs?: number
  }
}[SingleKind]

/** A log has at most one entry of each of these kinds per round. `book_places` keeps the index of that entry. */
const PLACED: ReadonlySet<EntryKind> = new Set(['round', 'announce', 'result', 'closed'])

/**
 * Queues entries in the given order, in the transaction of the act that they record (docs/open-book.md §1). The caller
 * makes sure, by a compare-and-set or a lock, that each entry is queued only once.
 */
export async function queueEntries(tx: Queryable, entries: readonly EntryToQueue[]): Promise<void> {
  if (entries.length === 0) return
  await tx.query(
    ...QUEUE({
      kinds: entries.map(({ kind }) => kind),
      times: entries.map(({ atMs }) => (atMs === undefined ? null : BigInt(atMs))),
      texts: entries.map(({ kind, fields }) => encodeFields(kind, fields)),
      rounds: entries.map(({ kind, fields }) =>
        PLACED.has(kind) ? (fields as { readonly round: string }).round : null,
      ),
    }),
  )
}

const NOW_MS = sql`floor(extract(epoch from clock_timestamp()) * 1000)::bigint`

const QUEUE = statement(
  sql`insert into book_queue (kind, at_ms, fields, round_id)
    select q.kind, coalesce(q.at_ms, ${NOW_MS}), q.fields, q.round_id
      from unnest(${'kinds'}::text[], ${'times'}::bigint[], ${'texts'}::text[], ${'rounds'}::uuid[])
        with ordinality as q (kind, at_ms, fields, round_id, place)
     order by q.place`,
  { name: 'queue-entries' },
)

/**
 * Returns the CTE `queued`, for a statement that stores a fact and queues the entries about it.
 * @param kind a constant, since it becomes a part of the statement's text
 * @param rows a select of at_ms (null means now), fields (the text that `encodeFields` returns) and round_id
 */
export const queuedCte = <Name extends string>(kind: SingleKind, rows: Sql<Name>): Sql<Name> =>
  sql`queued as (
    insert into book_queue (kind, at_ms, fields, round_id)
    select ${sqlText(`'${kind}'`)}, coalesce(q.at_ms, ${NOW_MS}), q.fields, q.round_id
      from (${rows}) as q (at_ms, fields, round_id)
    returning 1
  )`

/** Parameters of `queuedBetsCte`: each array has one element per round. */
export interface QueuedBetsValues {
  readonly queuedAtMs: number
  readonly queuedRounds: readonly string[]
  /** Each element is a uuid[] as text: in a uuid[][] all inner arrays would have to be equally long. */
  readonly queuedBets: readonly string[]
  readonly queuedCommitments: readonly Uint8Array[]
}

export const queuedBetsCte: Sql<keyof QueuedBetsValues> = sql`queued as (
    insert into book_queue (kind, at_ms, round_id, bets, commitments)
    select 'bet', ${'queuedAtMs'}::bigint, q.round_id, q.bets::uuid[], q.commitments
      from unnest(${'queuedRounds'}::uuid[], ${'queuedBets'}::text[], ${'queuedCommitments'}::bytea[])
        as q (round_id, bets, commitments)
    returning 1
  )`

export interface BetToQueue {
  readonly betId: string
  readonly roundId: string
  readonly commitment: Uint8Array
}

/** @param bets bets that were accepted together at `atMs` (Unix ms); the log keeps the order of a round's bets */
export function queuedBetsValues(bets: readonly BetToQueue[], atMs: number): QueuedBetsValues {
  const ofRounds = [...Map.groupBy(bets, ({ roundId }) => roundId)]
  return {
    queuedAtMs: atMs,
    queuedRounds: ofRounds.map(([roundId]) => roundId),
    queuedBets: ofRounds.map(([, of]) => `{${of.map(({ betId }) => betId).join(',')}}`),
    queuedCommitments: ofRounds.map(([, of]) => Buffer.concat(of.map(({ commitment }) => commitment))),
  }
}
