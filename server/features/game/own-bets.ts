import type { BetTicks, OwnBetsSummary } from '#contract/game.ts'
import { TOTAL_COUNTED_TO } from '#contract/limits.ts'
import { TICKS_SO_FAR } from '#server/features/market/index.ts'
import type { Queryable } from '#server/platform/database/db.ts'
import { collectParams } from '#server/platform/database/sql.ts'
import { msSql, onlyRow } from '#server/platform/database/rows.ts'
import { COUNTS_BY_PRICE, type OwnBetFilter, ownBetConditions } from './queries.ts'

/**
 * Counts a user's newest bets that match a filter, 10,000 at most, and sums the stakes and profits of the bets that
 * were won or lost by price. Bets that staff or a script decided are counted only in `leftOut` (rules §1.2).
 */
export async function sumOwnBets(db: Queryable, ownerId: string, filter: OwnBetFilter): Promise<OwnBetsSummary> {
  const params = collectParams()
  return onlyRow(
    await db.query<OwnBetsSummary>(
      `with newest as materialized (
         select b.id, b.accepted_at, b.status, b.basis, b.stake, b.profit,
                b.basis = 'PRICE' and b.status in ('won', 'lost') as is_decided
           from bets b where ${ownBetConditions(params, ownerId, filter)}
          order by b.accepted_at desc, b.id desc limit ${params.add(TOTAL_COUNTED_TO + 1)})
       select ${COUNTS_BY_PRICE}, coalesce(sum(stake) filter (where is_decided), 0)::bigint as "stakedMinor",
              coalesce(sum(profit) filter (where is_decided), 0)::bigint as "profitMinor",
              (count(*) filter (where basis <> 'PRICE'))::integer as "leftOut",
              (select count(*) from newest) > ${TOTAL_COUNTED_TO} as "isCapped"
         from (select * from newest order by accepted_at desc, id desc limit ${TOTAL_COUNTED_TO}) counted`,
      params.values,
    ),
  )
}

const BEFORE_S = 5

/**
 * Returns the past ticks around a user's own bet, from 5 s before its acceptance to the end of its round. Null if the
 * bet does not exist or belongs to another account. The list is empty if the bet's basis is not `PRICE` (rules §1.2).
 */
export async function listBetTicks(
  db: Queryable,
  ownerId: string,
  betId: string,
  labelOf: (source: string) => string,
): Promise<BetTicks | null> {
  const { rows } = await db.query<
    Pick<BetTicks, 'source' | 'acceptedAtMs'> &
      Omit<BetTicks['ticks'][number], 'second'> & { readonly second: number | null }
  >(
    `select r.price_source as source, ${msSql('b.accepted_at')} as "acceptedAtMs", t.second::float8 as second, t.price,
            ${msSql('t.quote_at')} as "quoteAtMs"
       from bets b
       join rounds r on r.id = b.round_id
       left join ${TICKS_SO_FAR} t on b.basis = 'PRICE' and t.source = r.price_source
        and t.second between floor(extract(epoch from b.accepted_at))::bigint - $3 and extract(epoch from r.closes_at)::bigint
      where b.id = $1 and b.user_id = $2
      order by t.second`,
    [betId, ownerId, BEFORE_S],
  )
  const [first] = rows
  if (first === undefined) return null
  const { source, acceptedAtMs } = first
  const ticks = rows.flatMap(({ second, price, quoteAtMs }) => (second === null ? [] : [{ second, price, quoteAtMs }]))
  return { source, label: labelOf(source), acceptedAtMs, ticks }
}
