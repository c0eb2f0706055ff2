import { isGoldOpen, isOpenThrough, nextOpening } from './hours.ts'
import type { Price } from './prices.ts'
import { type PriceSource, SIMULATED } from './sources.ts'
import { pickQuote, type Quote, type Tick } from './tick.ts'

const QUOTE_STALE_AFTER_MS = 5_000
/**
 * A quote stamped further ahead of the database's time is dropped, and closes betting for the time below (rules §2).
 */
const QUOTE_AHEAD_MAX_MS = 100
const AHEAD_CLOSES_FOR_MS = 10_000
/**
 * A quote further than 2 % from the last accepted one is held back. Quotes agree while the highest is at most 0.5 %
 * above the lowest; a jump ends when ten over 5 s agree (rules §5).
 */
const JUMP_PART = 50
const AGREEING_PART = 200
const AGREEING_QUOTES = 10
const AGREEING_FOR_MS = 5_000
const UNPRICED_CLOSES_AT = 2
const PRICED_REOPENS_AT = 5

/** Reasons why live rounds take no bets. When several apply, the first in this order is reported (rules §2, §5). */
export const FEED_CLOSED_REASONS = ['STALE', 'AHEAD', 'JUMP', 'UNPRICED'] as const
export type FeedClosedReason = (typeof FEED_CLOSED_REASONS)[number]

/**
 * Consecutive quotes that agree with each other, whatever was accepted before: when the first arrived, and the earliest
 * and latest of their own timestamps.
 */
interface Agreement {
  readonly quotes: number
  readonly sinceMs: number
  readonly fromMs: number
  readonly toMs: number
  readonly low: Price
  readonly high: Price
}

const NONE_AGREE: Agreement = {
  quotes: 0,
  sinceMs: Infinity,
  fromMs: Infinity,
  toMs: -Infinity,
  low: Infinity,
  high: -Infinity,
}

interface SecondsSeen {
  /** `last` is the newest known second; `inARow` seconds up to it have a price, or have none. */
  readonly last: number | null
  readonly inARow: number
  readonly arePriced: boolean
  readonly areTooFew: boolean
}

export interface FeedState {
  readonly newestQuoteAtMs: number | null
  readonly lastAheadAtMs: number | null
  /**
   * The quote that the next one is compared with: the last accepted one, or the last stored tick when that is younger.
   */
  readonly accepted: Quote | null
  /**
   * Set from the first quote that was held back until enough quotes agree: the agreement so far. Null without a jump.
   */
  readonly jump: Agreement | null
  readonly seconds: SecondsSeen
}

export const NO_QUOTES: FeedState = {
  newestQuoteAtMs: null,
  lastAheadAtMs: null,
  accepted: null,
  jump: null,
  // No second has had a price yet: betting opens after the first five that have one.
  seconds: { last: null, inARow: 0, arePriced: false, areTooFew: true },
}

/** `held`: too far from the last accepted quote. `old`: too late to price any second. */
export type QuoteVerdict = 'accepted' | 'held' | 'ahead' | 'old'

export interface JudgedQuote extends Quote {
  readonly isHeld: boolean
}

/**
 * Takes in a quote (rules §2, §5). A quote from the future, or one that is too late, is dropped. A quote more than 2 %
 * from the last accepted one is held back, and closes betting until 10 quotes over at least 5 s agree within 0.5 %.
 *
 * Those 10 are received one after the other and agree with each other (highest against lowest). They may lie anywhere:
 * at the price before the jump, when it was a spike, or at a new price, when it was a real move such as the opening
 * after the weekend. The last of them becomes the accepted quote. A quote that disagrees restarts the count. Until then
 * quotes near the last accepted one still price their seconds: open bets need those prices, and a feed that swings
 * between two prices never gives the other one.
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
    // The youngest stamp of the agreeing quotes: an older quote that arrives late is compared with it and replaces
    // nothing.
    const accepted = { price: quote.price, atMs: Math.max(jump.toMs, state.accepted?.atMs ?? jump.toMs) }
    return { state: { ...seen, accepted, jump: null }, verdict: 'accepted' }
  }
  return isNear
    ? { state: withAccepted({ ...seen, jump }, quote), verdict: 'accepted' }
    : { state: { ...seen, jump }, verdict: 'held' }
}

/**
 * Takes in the stored row of a second, in the order of the seconds; skipped seconds had no price. Every process reads
 * the same rows, so processes that received different quotes soon agree. A row that is a jump for this process closes
 * betting here until its own quotes agree.
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

/** The quote that prices a second; also null when the last quote before that second was held back (rules §5). */
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
 * True after ten quotes over 5 s, measured by their own timestamps and by their times of arrival. Both are needed: a
 * feed that repeats one quote does not agree with itself, and one that sends delayed quotes in a burst has not been
 * watched for 5 s.
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

/**
 * A quote that arrives after a younger one may still price its second, but the next quotes are compared with the
 * younger one.
 */
const withAccepted = (state: FeedState, { price, atMs }: Quote): FeedState =>
  state.accepted !== null && state.accepted.atMs > atMs ? state : { ...state, accepted: { price, atMs } }

const withNewestQuote = (state: FeedState, atMs: number): FeedState =>
  state.newestQuoteAtMs !== null && state.newestQuoteAtMs >= atMs ? state : { ...state, newestQuoteAtMs: atMs }

/** After the clock steps back, the count continues from the present second. */
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
 * The source of a round, fixed when it begins (rules §5). Live when gold is open from its start through its end and the
 * newest quote is at most 5 s old, otherwise simulated. A round is also simulated while betting in live rounds is
 * closed, or while the newest quote is held back, too late or not trusted: a live round would begin closed for betting
 * and without prices.
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
