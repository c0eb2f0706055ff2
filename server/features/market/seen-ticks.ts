import type { Price } from '#domain/market/prices.ts'
import type { PriceSource } from '#domain/market/sources.ts'
import type { Tick } from '#domain/market/tick.ts'
import type { Logger } from '#server/platform/process/log.ts'

export interface LastPrice {
  readonly second: number
  readonly price: Price
  readonly quoteAtMs: number
}

export function createSeenTicks(log: Logger) {
  const listeners = new Set<(tick: Tick) => void>()
  const lastTicks = new Map<PriceSource, Tick>()
  /** The last two prices of each source, ascending: `lastPrice` may be asked for a time before the newer price. */
  const lastPrices = new Map<PriceSource, readonly LastPrice[]>()
  return {
    publish(tick: Tick): void {
      lastTicks.set(tick.source, tick)
      const earlier = (lastPrices.get(tick.source) ?? []).filter(({ second }) => second < tick.second)
      lastPrices.set(tick.source, earlier)
      if (tick.price !== null && tick.quoteAtMs !== null) {
        const last = { second: tick.second, price: tick.price, quoteAtMs: tick.quoteAtMs }
        lastPrices.set(tick.source, [...earlier.slice(-1), last])
      }
      for (const listener of listeners) {
        try {
          listener(tick)
        } catch (error) {
          log.error({ err: error }, 'a listener to ticks failed')
        }
      }
    },
    onTick: (callback: (tick: Tick) => void) => {
      listeners.add(callback)
      return () => listeners.delete(callback)
    },
    lastTick: (source: PriceSource): Tick | null => lastTicks.get(source) ?? null,
    lastPrice: (source: PriceSource, nowMs: number): LastPrice | null =>
      lastPrices.get(source)?.findLast(({ second }) => second * 1000 <= nowMs) ?? null,
  }
}
