import type { BetTicks, OwnBetsSummary } from '#contract/game.ts'
import { TOTAL_COUNTED_TO } from '#contract/limits.ts'
import type { BetStatus } from '#domain/game/bet.ts'
import { TICKS_SO_FAR } from '#server/features/market/index.ts'
import type { Queryable, Row } from '#server/platform/database/db.ts'
import { collectParams } from '#server/platform/database/sql.ts'
import { type OwnBetFilter, ownBetConditions } from './queries.ts'

interface SumRow extends Row {
  status: BetStatus
  is_by_price: boolean
  n: bigint
  staked: bigint
  profit: bigint
}

/** Totals of the newest 10,000 own bets of a filter. Bets not decided by price are only counted (rules §1.2). */
export async function sumOwnBets(db: Queryable, ownerId: string, filter: OwnBetFilter): Promise<OwnBetsSummary> {
  const params = collectParams()
  const { rows } = await db.query<SumRow>(
    `select status, basis = 'PRICE' as is_by_price, count(*) as n, sum(stake)::bigint as staked,
            coalesce(sum(profit), 0)::bigint as profit
       from (select b.status, b.basis, b.stake, b.profit from bets b where ${ownBetConditions(params, ownerId, filter)}
              order by b.accepted_at desc, b.id desc limit ${params.add(TOTAL_COUNTED_TO + 1)}) newest
      group by 1, 2`,
    params.values,
  )
  const byPrice = rows.filter((row) => row.is_by_price)
  const of = (status: BetStatus) => byPrice.find((row) => row.status === status)
  const count = (some: readonly SumRow[]) => some.reduce((sum, { n }) => sum + Number(n), 0)
  const decided = [of('won'), of('lost')].filter((row) => row !== undefined)
  return {
    open: Number(of('open')?.n ?? 0n),
    won: Number(of('won')?.n ?? 0n),
    lost: Number(of('lost')?.n ?? 0n),
    voided: Number(of('voided')?.n ?? 0n),
    stakedMinor: decided.reduce((sum, { staked }) => sum + staked, 0n),
    profitMinor: decided.reduce((sum, { profit }) => sum + profit, 0n),
    leftOut: count(rows) - count(byPrice),
    isCapped: count(rows) > TOTAL_COUNTED_TO,
  }
}

const BEFORE_S = 5

interface TickRow extends Row {
  source: string
  basis: string
  accepted_at: Date
  second: bigint | null
  price: number | null
  quote_at: Date | null
}

/**
 * The known prices around an own bet, from shortly before its acceptance to the end of its round. Null when the bet
 * belongs to another account; no prices when another basis decides it (rules §1.2).
 */
export async function listBetTicks(
  db: Queryable,
  ownerId: string,
  betId: string,
  labelOf: (source: string) => string,
): Promise<BetTicks | null> {
  const { rows } = await db.query<TickRow>(
    `select r.price_source as source, b.basis, b.accepted_at, t.second, t.price, t.quote_at
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
  return {
    source: first.source,
    label: labelOf(first.source),
    acceptedAtMs: first.accepted_at.getTime(),
    ticks: rows.flatMap(({ second, price, quote_at: quoteAt }) =>
      second === null ? [] : [{ second: Number(second), price, quoteAtMs: quoteAt?.getTime() ?? null }],
    ),
  }
}
