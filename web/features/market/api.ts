import { queryOptions } from '@tanstack/react-query'
import { MARKET_REFRESH_MS } from '#contract/limits.ts'
import { type CandleListView, marketEndpoints, type MarketListView, type TickView } from '#contract/market.ts'
import type { CandleMinutes } from '#domain/market/candles.ts'
import { callEndpoint, withoutServerTime, firstCall } from '#web/platform/api.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'
import { sharedKeys } from '#web/platform/query-keys.ts'
import { firstPicture } from '#web/platform/lazy-part.ts'
import { refresh, untoldByEvents } from '#web/platform/query-client.ts'

const NO_PRICE_REFRESH_MS = 2_000

/** 168 candles of 60 minutes (spec §9.1) cover a week. */
const candleCount = 168

export type Candles = Omit<CandleListView, 'serverTimeMs'>

/** @param source a round's price source. Null: the source of a round that begins now. Undefined: fetch nothing yet */
export const candlesQuery = (source: string | null | undefined, minutes: CandleMinutes = 60) =>
  queryOptions({
    queryKey: [...sharedKeys.candles, source, minutes],
    queryFn: async ({ signal }): Promise<Candles> => {
      // The candles are fetched after the first paint, which does not need them.
      await firstPicture()
      const query = { interval: minutes, limit: candleCount, ...(typeof source === 'string' && { source }) } as const
      return withoutServerTime(await callEndpoint(marketEndpoints.listCandles, { query, signal }))
    },
    enabled: source !== undefined,
    // Ticks keep the chart's last candle current, so refetches can be rare.
    staleTime: 60_000,
    meta: untoldByEvents,
  })

/** The prices of a round by second. Disabled, since the socket sends ticks; `useMissedTicks` fetches missed ones. */
export const ticksQuery = (source: string, opensAtMs: number, closesAtMs: number) => ({
  ...endpointQuery(
    ['ticks'],
    marketEndpoints.listTicks,
    { query: { source, from: opensAtMs, to: closesAtMs } },
    ({ ticks }): readonly TickView[] => ticks,
  ),
  enabled: false,
})

export const refreshCandles = (): Promise<unknown> => refresh(sharedKeys.candles)

/** Gold and the top coins. The coins are for display only, since no round uses a coin (rules §5.7). */
export const marketQuery = queryOptions({
  ...endpointQuery(sharedKeys.market, marketEndpoints.listMarket, {}, withoutServerTime<MarketListView>),
  staleTime: MARKET_REFRESH_MS,
  // A server that has just started has no gold price yet, so the list is fetched again soon.
  refetchInterval: ({ state }) => (state.data?.gold.price === null ? NO_PRICE_REFRESH_MS : MARKET_REFRESH_MS),
  meta: untoldByEvents,
})

export const firstCalls = () => [firstCall(marketEndpoints.listMarket, {})]
