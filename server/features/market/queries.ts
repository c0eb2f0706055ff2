import type { CandleListView, MarketListView, SeedDay, TickListView } from '#contract/market.ts'
import { weekShape } from '#domain/market/week-shape.ts'
import { type CandleMinutes, candleOpening, withGaps } from '#domain/market/candles.ts'
import { type PriceSource, SIMULATED } from '#domain/market/sources.ts'
import type { Queryable } from '#server/platform/database/db.ts'
import { readNowMs } from '#server/platform/database/now.ts'
import { msSql, onlyRow } from '#server/platform/database/rows.ts'
import type { Market } from './feed.ts'
import { readTicks, TICKS_SO_FAR } from './ticks.ts'

const CANDLES_MAX = 1_000
const CANDLES_DEFAULT = 168
const HOUR_MS = 3_600_000
const WEEK_HOURS = 168

export interface CandlesWish {
  readonly minutes: CandleMinutes
  readonly source?: PriceSource | undefined
  /** Bounds of the candles' opening times, Unix ms: `fromMs` is included, `toMs` (by default now) is excluded. */
  readonly fromMs?: number | undefined
  readonly toMs?: number | undefined
  readonly limit?: number | undefined
}

/** Returns candles, ascending, with one element without prices for each gap. The newest candle may be running. */
export async function listCandles(market: Market, wish: CandlesWish, nowMs: number): Promise<CandleListView> {
  const source = wish.source ?? market.chooseSource(nowMs, nowMs)
  const limit = Math.min(CANDLES_MAX, Math.max(1, wish.limit ?? CANDLES_DEFAULT))
  const nextSecond = Math.floor(nowMs / 1000) + 1
  const toSecond = wish.toMs === undefined ? nextSecond : Math.min(nextSecond, Math.ceil(wish.toMs / 1000))
  const newestOpening = candleOpening(toSecond - 1, wish.minutes)
  const fromSecond = Math.max(Math.ceil((wish.fromMs ?? 0) / 1000), newestOpening - (limit - 1) * wish.minutes * 60)
  const candles = await market.candles.read(source, wish.minutes, fromSecond, toSecond)
  return {
    source,
    label: market.labelOf(source),
    minutes: wish.minutes,
    candles: withGaps(candles, wish.minutes).map(({ openedAt, ...prices }) => ({
      openedAtMs: openedAt * 1000,
      ...prices,
    })),
    serverTimeMs: nowMs,
  }
}

/** This limit suffices for all seconds of the longest round, both ends included, and a few seconds before the round. */
const TICKS_MAX = 130

/**
 * Returns a source's ticks of the past seconds within the bounds (Unix ms, both included). If these are more than 130
 * seconds, only the newest 130 are read. A tick without a price is final; a second without a tick may still get one
 * (rules §2.4).
 */
export async function listTicks(
  q: Queryable,
  market: Market,
  wish: { readonly source: PriceSource; readonly fromMs: number; readonly toMs?: number | undefined },
  nowMs: number,
): Promise<TickListView> {
  const { source, fromMs, toMs = nowMs } = wish
  const toSecond = Math.floor(Math.min(nowMs, toMs) / 1000)
  const fromSecond = Math.max(Math.ceil(fromMs / 1000), toSecond - TICKS_MAX + 1)
  const ticks = await readTicks(q, source, fromSecond, toSecond)
  return {
    source,
    label: market.labelOf(source),
    ticks: ticks.map(({ second, price, quoteAtMs }) => ({ second, price, quoteAtMs })),
    serverTimeMs: nowMs,
  }
}

/** Returns gold's price, 24-hour change and week's shape, all from the source that a round beginning now would get. */
export async function readGold(q: Queryable, market: Market, nowMs: number): Promise<MarketListView['gold']> {
  const source = market.chooseSource(nowMs, nowMs)
  const [{ candles }, databaseNowMs] = await Promise.all([
    listCandles(market, { minutes: 60, source, limit: WEEK_HOURS }, nowMs),
    readNowMs(q),
  ])
  const { label, lastPrice, lastQuoteAtMs } = market.feedStatus(source, databaseNowMs)
  const dayAgo = candles.find(({ open, openedAtMs }) => open !== undefined && openedAtMs >= nowMs - 24 * HOUR_MS)?.open
  return {
    source,
    label,
    price: lastPrice,
    change24hPercent:
      lastPrice === null || dayAgo === undefined ? null : Math.round(((lastPrice - dayAgo) / dayAgo) * 10_000) / 100,
    weekShape: weekShape(candles.flatMap(({ close }) => close ?? [])),
    quoteAtMs: lastQuoteAtMs,
  }
}

/**
 * Returns seeds, the latest day first. Values that would reveal future prices are null: a seed until its day is over,
 * and the start price of a future day. A day begins and ends here by the newest simulated tick, not by the clock.
 */
export async function listSeeds(q: Queryable, page: { readonly limit: number; readonly offset: number }) {
  const { rows } = await q.query<SeedDay>(
    `select to_char(day, 'YYYY-MM-DD') as day, encode(commitment, 'hex') as commitment,
       ${msSql('committed_at')} as "committedAtMs", is_committed_ahead as "isCommittedAhead",
       is_public_history as "isPublicHistory",
       case when is_public_history or day::timestamp at time zone 'UTC' <= last.at then start_price end as "startPrice",
       case when is_public_history or (day + 1)::timestamp at time zone 'UTC' <= last.at then encode(seed, 'hex') end as seed
     from simulated_seeds left join (
       select to_timestamp(second) as at from ${TICKS_SO_FAR} t where source = '${SIMULATED}' order by second desc limit 1
     ) last on true order by simulated_seeds.day desc limit $1::integer offset $2::integer`,
    [page.limit, page.offset],
  )
  const { total } = onlyRow(await q.query<{ total: number }>('select count(*)::integer as total from simulated_seeds'))
  return { rows, total }
}
