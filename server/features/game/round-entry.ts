import { encodeFields } from '#domain/book/entry.ts'
import { locksAtMs, type RoundWindow } from '#domain/game/calendar.ts'
import { queuedCte } from '#server/features/book/index.ts'
import { newId } from '#server/platform/process/ids.ts'
import { type Query, sql, statement } from '#server/platform/database/sql.ts'

export interface NewRound extends Omit<RoundWindow, 'roundNumber'> {
  readonly attempt: number
  readonly source: string
  readonly isLive: boolean
}

/**
 * Makes the statement that writes a round and queues its entry for the public log (docs/open-book.md §2). It writes
 * nothing if `opensAtMs` lies ahead by the database's clock (`has_begun` is false), or if the attempt exists already.
 * `is_made` says whether the statement wrote the round.
 */
export function insertRound(round: NewRound): { readonly id: string; readonly query: Query } {
  const id = newId()
  const { type, index, attempt, opensAtMs, closesAtMs, source, isLive } = round
  const locks = locksAtMs(closesAtMs, isLive)
  const fields = { round: id, type, n: index + 1, attempt, opens: opensAtMs, locks, closes: closesAtMs, source }
  return {
    id,
    query: INSERT({
      id,
      type,
      index: BigInt(index),
      attempt,
      opensAt: new Date(opensAtMs),
      locksAt: new Date(locks),
      closesAt: new Date(closesAtMs),
      source,
      fields: encodeFields('round', fields),
    }),
  }
}

const INSERT = statement(
  sql`with clock as materialized (select clock_timestamp() >= ${'opensAt'}::timestamptz as has_begun),
    made as (
      insert into rounds (id, type, index, attempt, opens_at, locks_at, closes_at, price_source, book)
      select ${'id'}::uuid, ${'type'}::text, ${'index'}::bigint, ${'attempt'}::integer, ${'opensAt'}::timestamptz,
          ${'locksAt'}::timestamptz, ${'closesAt'}::timestamptz, ${'source'}::text, 'open'
        from clock where has_begun on conflict (type, index, attempt) do nothing returning id
    ), ${queuedCte('round', sql`select null::bigint, ${'fields'}::text, made.id from made`)}
    select has_begun, exists (select 1 from made) as is_made from clock`,
)
