import * as z from 'zod/mini'
import { FEED_CLOSED_REASONS } from '#domain/market/feed-state.ts'
import { answer, askedInstant, goldPrice, instant, query, queryInt, text } from './codecs.ts'
import { endpoint, listOf } from './endpoint.ts'
import { listQuery, timeQuery } from './page-query.ts'

/** A candle of one price source. A gap, in which the source has no price, has only `openedAtMs` (rules §5.7). */
export const candle = answer(() => ({
  openedAtMs: ['openedAt', instant],
  open: z.optional(goldPrice),
  high: z.optional(goldPrice),
  low: z.optional(goldPrice),
  close: z.optional(goldPrice),
}))
export type CandleView = z.output<typeof candle>

export const candleList = answer(() => ({
  source: text,
  label: ['sourceLabel', text],
  minutes: ['interval', z.union([z.literal(1), z.literal(60)])],
  candles: z.array(candle),
  serverTimeMs: ['serverTime', instant],
}))
export type CandleListView = z.output<typeof candleList>

export const marketTick = answer(() => ({
  second: z.int(),
  price: z.nullable(goldPrice),
  quoteAtMs: ['quoteAt', z.nullable(instant)],
}))
export type TickView = z.output<typeof marketTick>

export const tickList = answer(() => ({
  source: text,
  label: ['sourceLabel', text],
  ticks: z.array(marketTick),
  serverTimeMs: ['serverTime', instant],
}))
export type TickListView = z.output<typeof tickList>

/** A UTC day of the simulated price. Fields that would reveal future prices are null (rules §5.6). */
export const seedDay = answer(() => ({
  day: text,
  commitment: text,
  committedAtMs: ['committedAt', instant],
  isCommittedAhead: z.boolean(),
  isPublicHistory: z.boolean(),
  startPrice: z.nullable(goldPrice),
  seed: z.nullable(text),
}))
export type SeedDay = z.output<typeof seedDay>

export const feedStatus = answer(() => ({
  source: text,
  label: ['sourceLabel', text],
  lastPrice: z.nullable(goldPrice),
  /** The provider's time of the quote behind `lastPrice`. The price's age is counted from it. */
  lastQuoteAtMs: ['lastQuoteAt', z.nullable(instant)],
  closedReason: z.nullable(z.enum(FEED_CLOSED_REASONS)),
  goldReopensAtMs: ['goldReopensAt', z.nullable(instant)],
}))
export type FeedStatus = z.output<typeof feedStatus>

const sourceQuery = text.check(z.maxLength(300))

const minutesQuery = z.codec(z.enum(['1', '60']), z.union([z.literal(1), z.literal(60)]), {
  decode: (text) => (text === '1' ? 1 : 60),
  encode: (minutes) => (minutes === 1 ? '1' : '60'),
})

/** Prices of the last 7 days, scaled by `weekShape` of domain/; empty if no prices are known. */
const weekShape = z.array(z.int())

/** A coin of the list and the ticker, for display only. */
const coin = answer(() => ({
  id: ['_id', text],
  symbol: text,
  name: text,
  rank: z.int(),
  priceUsd: ['price', z.number()],
  change24hPercent: ['change24h', z.nullable(z.number())],
  weekShape,
}))
export type Coin = z.output<typeof coin>

export const marketList = answer(() => ({
  gold: answer(() => ({
    source: text,
    label: ['sourceLabel', text],
    price: z.nullable(goldPrice),
    change24hPercent: ['change24h', z.nullable(z.number())],
    weekShape,
    quoteAtMs: ['quoteAt', z.nullable(instant)],
  })),
  coins: z.array(coin),
  coinsFetchedAtMs: ['coinsFetchedAt', z.nullable(instant)],
  isSample: z.boolean(),
  serverTimeMs: ['serverTime', instant],
}))
export type MarketListView = z.output<typeof marketList>

export const marketEndpoints = {
  listMarket: endpoint('GET', '/api/v1/market', 'player', {
    data: marketList,
    summary: 'Gold and the top 20 coins, refreshed once a minute for everybody',
  }),
  listCandles: endpoint('GET', '/api/v1/market/candles', 'player', {
    query: query(() => ({
      interval: z.optional(minutesQuery),
      source: z.optional(sourceQuery),
      ...timeQuery,
      limit: z.optional(queryInt),
    })),
    data: candleList,
    summary: 'Candles of 1 or 60 minutes from the ticks that rounds are settled by',
  }),
  listTicks: endpoint('GET', '/api/v1/market/ticks', 'player', {
    query: query(() => ({
      source: sourceQuery,
      /** Both instants are included. Without `to`, the span ends now. */
      from: askedInstant,
      to: z.optional(askedInstant),
    })),
    data: tickList,
    summary: 'The price of each second of a running round, from the rows that settle it; at most 130 seconds',
  }),
  listSeeds: endpoint('GET', '/api/v1/market/seeds', 'public', {
    query: query(() => ({ page: listQuery.page, limit: listQuery.limit })),
    ...listOf(seedDay),
    summary: 'Commitments of the simulated price 8 days ahead, and seeds of the days that are over',
  }),
} as const
