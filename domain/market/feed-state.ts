import { isGoldOpen, isOpenThrough, nextOpening } from './hours.ts'
import { type PriceSource, SIMULATED } from './sources.ts'
import type { Quote } from './tick.ts'

/** A live round takes no bets while its newest quote is older, and no round begins as a live one (rules §5). */
const QUOTE_STALE_AFTER_MS = 5_000
/** A quote stamped further ahead of the database's time is dropped (rules §2). */
const QUOTE_AHEAD_MAX_MS = 100
/** How long betting in live rounds stays closed after such a quote (rules §2). */
const AHEAD_CLOSES_FOR_MS = 10_000

/** What one process knows of its live feed. */
export interface FeedState {
  /** The youngest own timestamp of any accepted quote, Unix ms. */
  readonly newestQuoteAtMs: number | null
  /** When a quote from the future last came, by the database's clock. */
  readonly lastAheadAtMs: number | null
}

export const NO_QUOTES: FeedState = { newestQuoteAtMs: null, lastAheadAtMs: null }

/** Takes a quote in, or drops one from the future and remembers it. */
export function judgeQuote(
  state: FeedState,
  quote: Quote,
  nowMs: number,
): { readonly state: FeedState; readonly isKept: boolean } {
  if (quote.atMs > nowMs + QUOTE_AHEAD_MAX_MS) return { state: { ...state, lastAheadAtMs: nowMs }, isKept: false }
  return { state: withNewestQuote(state, quote.atMs), isKept: true }
}

/** A quote another process wrote as a tick is as good a sign of life as one's own. */
export const withNewestQuote = (state: FeedState, atMs: number): FeedState =>
  state.newestQuoteAtMs !== null && state.newestQuoteAtMs >= atMs ? state : { ...state, newestQuoteAtMs: atMs }

const isFresh = (state: FeedState, nowMs: number): boolean =>
  state.newestQuoteAtMs !== null && nowMs - state.newestQuoteAtMs <= QUOTE_STALE_AFTER_MS

export type FeedClosedReason = 'STALE' | 'AHEAD'

/** Why a live round takes no bets now, or null when it does. */
export function liveClosedReason(state: FeedState, nowMs: number): FeedClosedReason | null {
  if (!isFresh(state, nowMs)) return 'STALE'
  return state.lastAheadAtMs !== null && nowMs - state.lastAheadAtMs < AHEAD_CLOSES_FOR_MS ? 'AHEAD' : null
}

/**
 * The source of a round, fixed when it begins: live if gold is open from its start through its end and the newest
 * quote is at most 5 s old, else simulated (rules §5).
 * @param live the configured live source, null with GOLD_FEED=simulated
 */
export const chooseSource = (
  live: PriceSource | null,
  state: FeedState,
  opensAtMs: number,
  closesAtMs: number,
  nowMs: number,
): PriceSource => (live !== null && isOpenThrough(opensAtMs, closesAtMs) && isFresh(state, nowMs) ? live : SIMULATED)

/** When gold trades again, while it is shut; null while it trades or when no live source is configured. */
export const goldReopensAt = (live: PriceSource | null, nowMs: number): number | null =>
  live === null || isGoldOpen(nowMs) ? null : nextOpening(nowMs)
