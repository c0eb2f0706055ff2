import { encodeFields, type EntryFields, type EntryKind } from '#domain/book/entry.ts'
import type { Queryable } from '#server/platform/db.ts'
import { type Sql, sql, sqlText, statement } from '#server/platform/sql.ts'

/** An entry of the public log that waits to be sealed. */
export type EntryToQueue = {
  readonly [Kind in EntryKind]: {
    readonly kind: Kind
    readonly fields: EntryFields[Kind]
    /** The entry's time, Unix ms; by default the database's when the row is written. */
    readonly atMs?: number
    /** Of a bet's entry: the bet. */
    readonly betId?: string
  }
}[EntryKind]

/** Kinds whose place is kept for their round (`book_places`). A round has each at most once, but for its bets. */
const PLACED: ReadonlySet<EntryKind> = new Set(['round', 'bet', 'announce', 'result', 'closed'])

/**
 * Writes entries into the queue, in this order, in the transaction of the act that they tell (docs/open-book.md §1). The
 * caller makes sure that they are written once: by a compare-and-set, or under a lock.
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
      bets: entries.map(({ betId }) => betId ?? null),
    }),
  )
}

const NOW_MS = sql`floor(extract(epoch from clock_timestamp()) * 1000)::bigint`

const QUEUE = statement(
  sql`insert into book_queue (kind, at_ms, fields, round_id, bet_id)
    select q.kind, coalesce(q.at_ms, ${NOW_MS}), q.fields, q.round_id, q.bet_id
      from unnest(${'kinds'}::text[], ${'times'}::bigint[], ${'texts'}::text[], ${'rounds'}::uuid[], ${'bets'}::uuid[])
        with ordinality as q (kind, at_ms, fields, round_id, bet_id, place)
     order by q.place`,
  { name: 'queue-entries' },
)

/**
 * A CTE, `queued`, for a statement that writes a fact and its entries together.
 * @param kind of all of them; a constant: it becomes a part of the statement's text
 * @param rows a select of at_ms (null: now), fields (as `encodeFields` writes them), round_id and bet_id, in this order
 */
export const queuedCte = <Name extends string>(kind: EntryKind, rows: Sql<Name>): Sql<Name> =>
  sql`queued as (
    insert into book_queue (kind, at_ms, fields, round_id, bet_id)
    select ${sqlText(`'${kind}'`)}, coalesce(q.at_ms, ${NOW_MS}), q.fields, q.round_id, q.bet_id
      from (${rows}) as q (at_ms, fields, round_id, bet_id)
    returning 1
  )`
