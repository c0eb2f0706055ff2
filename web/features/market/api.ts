import { queryOptions } from '@tanstack/react-query'
import { MARKET_REFRESH_MS } from '#contract/limits.ts'
import { type CandleListView, marketEndpoints, type MarketListView } from '#contract/market.ts'
import { callEndpoint, withoutServerTime, firstCall } from '#web/platform/api.ts'
import { firstPicture } from '#web/platform/lazy-part.ts'
import { queryClient, untoldByEvents } from '#web/platform/query-client.ts'

/** A week of hours (spec §9: the chart's interval is 60 minutes). */
const candleCount = 168

export type Candles = Omit<CandleListView, 'serverTimeMs'>

const candlesKey = ['candles'] as const

/**
 * The chart's candles of one source.
 * @param source a round's price source; null asks for the one a round beginning now would take; undefined for nothing yet
 */
export const candlesQuery = (source: string | null | undefined) =>
  queryOptions({
    queryKey: [...candlesKey, source],
    queryFn: async ({ signal }): Promise<Candles> => {
      // The chart is not part of the first picture.
      await firstPicture()
      const query = { interval: 60, limit: candleCount, ...(typeof source === 'string' && { source }) } as const
      return withoutServerTime(await callEndpoint(marketEndpoints.listCandles, { query, signal }))
    },
    enabled: source !== undefined,
    // Ticks keep the last candle right; only what was missed needs the server.
    staleTime: 60_000,
    meta: untoldByEvents,
  })

export const refreshCandles = (): Promise<void> => queryClient.invalidateQueries({ queryKey: candlesKey })

export type Market = Omit<MarketListView, 'serverTimeMs'>

/** Gold and the top coins, for reading only: no round uses a coin (spec §7, §9). */
export const marketQuery = queryOptions({
  queryKey: ['market'],
  queryFn: async ({ signal }): Promise<Market> =>
    withoutServerTime(await callEndpoint(marketEndpoints.listMarket, { signal })),
  staleTime: MARKET_REFRESH_MS,
  refetchInterval: MARKET_REFRESH_MS,
  meta: untoldByEvents,
})

/** The call that the list of markets and the ticker above the chart make first (web/boot/first-calls.ts). */
export const firstCalls = () => [firstCall(marketEndpoints.listMarket, {})]
