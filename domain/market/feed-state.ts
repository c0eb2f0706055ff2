import { isGoldOpen, isOpenThrough, nextOpening } from './hours.ts'
import type { Price } from './prices.ts'
import { type PriceSource, SIMULATED } from './sources.ts'
import { pickQuote, type Quote, type Tick } from './tick.ts'

const QUOTE_STALE_AFTER_MS = 5_000
/** A quote stamped more than this after the database's time is dropped, and closes live betting (rules §2.4). */
const QUOTE_AHEAD_MAX_MS = 100
const AHEAD_CLOSES_FOR_MS = 10_000
/** A quote over 2 % (a 50th) from the last accepted one is a jump. Quotes within 0.5 % (a 200th) agree (rules §5.4). */
const JUMP_PART = 50
const AGREEING_PART = 200
const AGREEING_QUOTES = 10
const AGREEING_FOR_MS = 5_000
const UNPRICED_CLOSES_AT = 2
const PRICED_REOPENS_AT = 5

/** The reasons why live rounds take no bets (rules §5.4). Of several, the first in this order is reported. */
export const FEED_CLOSED_REASONS = ['STALE', 'AHEAD', 'JUMP', 'UNPRICED'] as const
export type FeedClosedReason = (typeof FEED_CLOSED_REASONS)[number]

/**
 * Consecutive quotes that agree with each other. `sinceMs`: the arrival of the first. `fromMs`, `toMs`: their earliest
 * and latest stamp.
 */
type Agreement = Readonly<typeof NONE_AGREE>

const NONE_AGREE = {
  quotes: 0,
  sinceMs: Infinity,
  fromMs: Infinity,
  toMs: -Infinity,
  low: Infinity,
  high: -Infinity,
}

interface SecondsSeen {
  /** `last`: the second counted last. The last `inARow` seconds all have a price (`arePriced`), or all have none. */
  readonly last: number | null
  readonly inARow: number
  readonly arePriced: boolean
  readonly areTooFew: boolean
}

export interface FeedState {
  readonly newestQuoteAtMs: number | null
  readonly lastAheadAtMs: number | null
  /** The quote with which the next one is compared: the last accepted quote, or the last stored tick if younger. */
  readonly accepted: Quote | null
  /** While a jump closes betting: the latest quotes that agree. Enough of them end the jump. Null without a jump. */
  readonly jump: Agreement | null
  readonly seconds: SecondsSeen
}

export const NO_QUOTES: FeedState = {
  newestQuoteAtMs: null,
  lastAheadAtMs: null,
  accepted: null,
  jump: null,
  // `areTooFew` starts true, because no second has had a price yet: betting opens after five priced seconds in a row.
  seconds: { last: null, inARow: 0, arePriced: false, areTooFew: true },
}

/** `held`: too far from the last accepted quote. `ahead`: stamped in the future. `old`: over 5 s behind the newest. */
export type QuoteVerdict = 'accepted' | 'held' | 'ahead' | 'old'

export interface JudgedQuote extends Quote {
  readonly isHeld: boolean
}

/**
 * Judges a quote (rules §2.4, §5.4). A quote from the future, or over 5 s older than the newest one, is dropped. A jump
 * is held back and closes betting until ten quotes in a row, over at least 5 s, agree on the old or on a new price.
 * Until then, quotes near the accepted one still price their seconds, because open bets need prices.
 */
export function judgeQuote(
  state: FeedState,
  quote: Quote,
  nowMs: number,
): { readonly state: FeedState; readonly verdict: QuoteVerdict } {
  if (quote.atMs > nowMs + QUOTE_AHEAD_MAX_MS) return { state: { ...state, lastAheadAtMs: nowMs }, verdict: 'ahead' }
  if (state.newestQuoteAtMs !== null && quote.atMs < state.newestQuoteAtMs - QUOTE_STALE_AFTER_MS)
    return { state, verdict: 'old' }
  const seen = withNewestQuote(state, quote.atMs)
  const isNear = state.accepted === null || !isJump(state.accepted.price, quote.price)
  if (isNear && state.jump === null) return { state: withAccepted(seen, quote), verdict: 'accepted' }

  const jump = withAgreeing(state.jump ?? NONE_AGREE, quote, nowMs)
  if (areEnough(jump, nowMs)) {
    // The price gets the latest known stamp, so that a quote with an older stamp that arrives later can't replace it.
    const accepted = { price: quote.price, atMs: Math.max(jump.toMs, state.accepted?.atMs ?? jump.toMs) }
    return { state: { ...seen, accepted, jump: null }, verdict: 'accepted' }
  }
  return isNear
    ? { state: withAccepted({ ...seen, jump }, quote), verdict: 'accepted' }
    : { state: { ...seen, jump }, verdict: 'held' }
}

/**
 * Takes in the stored row of a second, which another process may have written; skipped seconds had no price. If the row
 * is a jump that the quotes counted here do not support, betting closes in this process until its own quotes agree.
 */
export function withTick(state: FeedState, { second, price, quoteAtMs }: Omit<Tick, 'source'>): FeedState {
  const counted = { ...state, seconds: withSecond(state.seconds, second, price !== null) }
  if (price === null || quoteAtMs === null) return counted
  const seen = withNewestQuote(counted, quoteAtMs)
  const { accepted, jump } = seen
  if (accepted !== null && accepted.atMs >= quoteAtMs) return seen
  const isUnexpected =
    accepted !== null && isJump(accepted.price, price) && (jump === null || jump.quotes === 0 || !doAgree(jump, price))
  return { ...seen, accepted: { price, atMs: quoteAtMs }, jump: isUnexpected ? NONE_AGREE : jump }
}

/** Returns the quote that prices a second; null without a quote, or if the quote was held back (rules §5.4). */
export function pricingQuote<Q extends JudgedQuote>(received: readonly Q[], second: number): Q | null {
  const last = pickQuote(received, second)
  return last === null || last.isHeld ? null : last
}

const isJump = (from: Price, to: Price): boolean => Math.abs(to - from) * JUMP_PART > from

const doAgree = ({ low, high }: Agreement, price: Price): boolean => {
  const lowest = Math.min(low, price)
  return (Math.max(high, price) - lowest) * AGREEING_PART <= lowest
}

/**
 * Returns whether ten quotes over 5 s agree, by their own stamps and by their arrival. A feed that repeats one quote
 * fails by the stamps, and a feed that sends delayed quotes in a burst fails by the arrival.
 */
const areEnough = ({ quotes, sinceMs, fromMs, toMs }: Agreement, nowMs: number): boolean =>
  quotes >= AGREEING_QUOTES && Math.min(toMs - fromMs, nowMs - sinceMs) >= AGREEING_FOR_MS

function withAgreeing(agreement: Agreement, { price, atMs }: Quote, nowMs: number): Agreement {
  const { quotes, sinceMs, fromMs, toMs, low, high } = doAgree(agreement, price) ? agreement : NONE_AGREE
  return {
    quotes: quotes + 1,
    sinceMs: Math.min(sinceMs, nowMs),
    fromMs: Math.min(fromMs, atMs),
    toMs: Math.max(toMs, atMs),
    low: Math.min(low, price),
    high: Math.max(high, price),
  }
}

/** Accepts a quote. A late one may still price its second, but the next quotes are compared with the youngest one. */
const withAccepted = (state: FeedState, { price, atMs }: Quote): FeedState =>
  state.accepted !== null && state.accepted.atMs > atMs ? state : { ...state, accepted: { price, atMs } }

const withNewestQuote = (state: FeedState, atMs: number): FeedState =>
  state.newestQuoteAtMs !== null && state.newestQuoteAtMs >= atMs ? state : { ...state, newestQuoteAtMs: atMs }

/** Counts a second and those skipped before it. After the clock stepped back, counting continues from this second. */
function withSecond(seen: SecondsSeen, second: number, isPriced: boolean): SecondsSeen {
  if (second === seen.last) return seen
  const skipped = seen.last === null ? 0 : second - seen.last - 1
  return { ...withSeconds(skipped > 0 ? withSeconds(seen, skipped, false) : seen, 1, isPriced), last: second }
}

function withSeconds(seen: SecondsSeen, count: number, arePriced: boolean): SecondsSeen {
  const inARow = (seen.arePriced === arePriced ? seen.inARow : 0) + count
  const areTooFew = arePriced
    ? seen.areTooFew && inARow < PRICED_REOPENS_AT
    : seen.areTooFew || inARow >= UNPRICED_CLOSES_AT
  return { ...seen, inARow, arePriced, areTooFew }
}

export function liveClosedReason(state: FeedState, nowMs: number): FeedClosedReason | null {
  if (nowMs - (state.newestQuoteAtMs ?? -Infinity) > QUOTE_STALE_AFTER_MS) return 'STALE'
  if (state.lastAheadAtMs !== null && nowMs - state.lastAheadAtMs < AHEAD_CLOSES_FOR_MS) return 'AHEAD'
  if (state.jump !== null) return 'JUMP'
  return state.seconds.areTooFew ? 'UNPRICED' : null
}

/**
 * Chooses a round's source at its start: live if gold stays open until the round ends and live betting is open (rules
 * §5.4).
 * @param live the configured live source, null with GOLD_FEED=simulated
 */
export const chooseSource = (
  live: PriceSource | null,
  state: FeedState,
  opensAtMs: number,
  closesAtMs: number,
  nowMs: number,
): PriceSource =>
  live !== null && isOpenThrough(opensAtMs, closesAtMs) && liveClosedReason(state, nowMs) === null ? live : SIMULATED

export const goldReopensAt = (live: PriceSource | null, nowMs: number): number | null =>
  live === null || isGoldOpen(nowMs) ? null : nextOpening(nowMs)
