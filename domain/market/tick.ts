import type { Price } from './prices.ts'
import type { PriceSource } from './sources.ts'

/** A live tick is chosen this long after its second; later, a second without a row is missing for ever (rules §2). */
export const TICK_FINAL_AFTER_MS = 400
export const TICK_MISSING_AFTER_MS = 700
/** How far a quote's own time may lie before the second that it prices (rules §2). */
export const QUOTE_WINDOW_MS = 2_000

export interface Tick {
  readonly source: PriceSource
  readonly second: number
  readonly price: Price | null
  readonly quoteAtMs: number | null
}

export interface Quote {
  readonly price: Price
  readonly atMs: number
}

/**
 * The quote that prices a second: the last one whose own timestamp lies in (second − 2 s, second]. Among equal stamps
 * the last received counts (rules §2).
 * @param received quotes in the order of arrival
 */
export function pickQuote<Q extends Quote>(received: readonly Q[], second: number): Q | null {
  const untilMs = second * 1000
  let picked: Q | null = null
  for (const quote of received) {
    if (quote.atMs <= untilMs - QUOTE_WINDOW_MS || quote.atMs > untilMs) continue
    if (picked === null || quote.atMs >= picked.atMs) picked = quote
  }
  return picked
}
