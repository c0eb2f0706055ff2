import { useCallback, useEffect, useSyncExternalStore } from 'react'
import type { PriceTick } from '#contract/events.ts'
import type { FeedStatus } from '#contract/market.ts'
import { DURATION_S } from '#domain/game/calendar.ts'
import { isLive } from '#domain/market/sources.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { onServerEvent } from '#web/platform/socket.ts'
import { onEachSecond } from '#web/platform/ticker.ts'

/** The newest prices, outside React: they are written into the page once a second without a render. */

export type LivePrice = {
  readonly source: string
  /** Unix second of the tick. */
  readonly second: number
  /** Thousandths of a dollar. */
  readonly price: number
  /** The quote's own time, ms since the epoch. */
  readonly quoteAtMs: number
}

/** Ticks kept per source: those of the longest round, its two ends, and a few late ones. */
const keptTicks = Math.max(...Object.values(DURATION_S)) + 10

const ticksBySource = new Map<string, readonly LivePrice[]>()
const quoteBySource = new Map<string, LivePrice>()
const listeners = new Set<(price: LivePrice) => void>()

/** The server's time in a tick differs from the tick's second by less than this, with either rounding. */
const slackMs = 1_000

/**
 * Records a tick. A tick without a price, or older than the newest, changes nothing. Recorded ticks ahead of the
 * server's time are from before its clock was set back; they are dropped until their second comes again.
 */
export function recordTick({ source, second, price, quoteAtMs, serverTimeMs }: PriceTick): void {
  if (price === null || quoteAtMs === null) return
  const ticks = (ticksBySource.get(source) ?? []).filter((tick) => tick.second * 1000 <= serverTimeMs + slackMs)
  const newest = ticks.at(-1)
  if (newest !== undefined && newest.second >= second) return
  const live = { source, second, price, quoteAtMs }
  ticksBySource.set(source, [...ticks, live].slice(-keptTicks))
  for (const listener of [...listeners]) listener(live)
}

/** Records the feed's price from an answer of the server, for use until the feed's first tick. */
export function recordQuote({ source, lastPrice, lastQuoteAtMs }: FeedStatus): void {
  if (lastPrice === null || lastQuoteAtMs === null) return
  const second = Math.floor(lastQuoteAtMs / 1000)
  quoteBySource.set(source, { source, second, price: lastPrice, quoteAtMs: lastQuoteAtMs })
}

/** The newest price of a source, undefined before the first. */
export function newestPrice(source: string): LivePrice | undefined {
  return ticksBySource.get(source)?.at(-1) ?? quoteBySource.get(source)
}

/** The price of one second, undefined without a recorded tick. */
export function priceAt(source: string, second: number): number | undefined {
  return ticksBySource.get(source)?.find((tick) => tick.second === second)?.price
}

/** Calls back with each new price of any source. Returns the function that stops it. */
export function onLivePrice(listener: (price: LivePrice) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** A quote of this age is late; above the next limit it no longer counts as a live price (rules §5). */
const lateFromMs = 2_000
const silentAfterMs = 5_000

export type FeedState = 'fresh' | 'late' | 'silent'

/** @param ageMs of the newest quote, infinite before the first */
export const feedStateAt = (ageMs: number): FeedState =>
  ageMs > silentAfterMs ? 'silent' : ageMs >= lateFromMs ? 'late' : 'fresh'

/**
 * Whether prices of a live source arrived here and then stopped: a round on it then takes no bet (rules §5). The server
 * applies the same rule but sends no hint. The component renders again only when the result changes.
 */
export function useIsFeedSilent(source: string | null | undefined): boolean {
  const subscribe = useCallback((listener: () => void) => {
    const stops = [onLivePrice(listener), onEachSecond(listener)]
    return () => {
      for (const stop of stops) stop()
    }
  }, [])
  return useSyncExternalStore(subscribe, () => {
    if (typeof source !== 'string' || !isLive(source)) return false
    const newest = newestPrice(source)
    return newest !== undefined && feedStateAt(serverNowMs() - newest.quoteAtMs) === 'silent'
  })
}

/** Records the socket's ticks while a screen shows prices. */
export function usePriceTicks(): void {
  useEffect(() => onServerEvent('price_tick', recordTick), [])
}

/** Clears all prices: for tests. */
export function forgetPrices(): void {
  ticksBySource.clear()
  quoteBySource.clear()
}
