import type { Price } from './prices.ts'
import type { PriceSource } from './sources.ts'

/** A live tick is final 400 ms after its second. A second without a tick 700 ms after it gets no price (rules §2.4). */
export const TICK_FINAL_AFTER_MS = 400
export const TICK_MISSING_AFTER_MS = 700
/** A process keeps the signed bytes of a live second for this long, as a bet may still need them (rules §5.2). */
export const EVIDENCE_KEPT_SECONDS = 600
/** A quote that was stamped this long before a second, or earlier, does not price that second (rules §2.4). */
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
 * Returns the quote that prices a second: the last one whose own stamp lies in (second − 2 s, second]. Among equal
 * stamps the last received quote counts (rules §2.4).
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
