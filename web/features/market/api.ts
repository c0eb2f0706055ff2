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

/** The number of candles to fetch: 168 candles of 60 minutes, the interval of spec §9, cover a week. */
const candleCount = 168

export type Candles = Omit<CandleListView, 'serverTimeMs'>

/** @param source a round's price source; null: that of a round that begins now; undefined: nothing is loaded yet */
export const candlesQuery = (source: string | null | undefined, minutes: CandleMinutes = 60) =>
  queryOptions({
    queryKey: [...sharedKeys.candles, source, minutes],
    queryFn: async ({ signal }): Promise<Candles> => {
      // The first paint does not show the chart, so the candles are fetched only after the first paint.
      await firstPicture()
      const query = { interval: minutes, limit: candleCount, ...(typeof source === 'string' && { source }) } as const
      return withoutServerTime(await callEndpoint(marketEndpoints.listCandles, { query, signal }))
    },
    enabled: source !== undefined,
    // Ticks keep the last candle current. A refetch only brings candles that were missed.
    staleTime: 60_000,
    meta: untoldByEvents,
  })

/** The prices of a round by second. Disabled, because the socket brings them; `useMissedTicks` fetches missed ones. */
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

/** Gold and the top coins. The coins are for display only, since no round uses a coin (spec §7, §9). */
export const marketQuery = queryOptions({
  ...endpointQuery(sharedKeys.market, marketEndpoints.listMarket, {}, withoutServerTime<MarketListView>),
  staleTime: MARKET_REFRESH_MS,
  // A server that has just started has no gold price for a second or two, so the list is fetched again soon.
  refetchInterval: ({ state }) => (state.data?.gold.price === null ? NO_PRICE_REFRESH_MS : MARKET_REFRESH_MS),
  meta: untoldByEvents,
})

export const firstCalls = () => [firstCall(marketEndpoints.listMarket, {})]
