import type { Price } from './prices.ts'
import type { PriceSource } from './sources.ts'

/** A live tick is chosen this long after its second, when late quotes have arrived (rules §2). */
export const TICK_FINAL_AFTER_MS = 400
/** From here on a second that nobody has written is a missing tick for ever (rules §2). */
export const TICK_MISSING_AFTER_MS = 700
/** How far a quote's own time may lie before the second it prices (rules §2). */
export const QUOTE_WINDOW_MS = 2_000

/** The price of one second of one source, as stored. A null price is a fact too: nobody had a quote for it. */
export interface Tick {
  readonly source: PriceSource
  /** Unix seconds. */
  readonly second: number
  readonly price: Price | null
  /** The quote's own time in Unix ms; null without a price. */
  readonly quoteAtMs: number | null
}

/** What a feed said, once. */
export interface Quote {
  readonly price: Price
  /** The quote's own timestamp, Unix ms. */
  readonly atMs: number
}

/**
 * The quote that prices a second: the last one whose own timestamp lies in (second − 2 s, second]; among equal
 * stamps the last received (rules §2).
 * @param received quotes in the order they arrived
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
