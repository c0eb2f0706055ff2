import { isGoldOpen, isOpenThrough, nextOpening } from './hours.ts'
import type { Price } from './prices.ts'
import { type PriceSource, SIMULATED } from './sources.ts'
import { pickQuote, type Quote, type Tick } from './tick.ts'

/** A live round takes no bets while its newest quote is older, and no round begins as a live one (rules §5). */
const QUOTE_STALE_AFTER_MS = 5_000
/** A quote stamped further ahead of the database's time is dropped (rules §2). */
const QUOTE_AHEAD_MAX_MS = 100
/** How long betting in live rounds stays closed after such a quote (rules §2). */
const AHEAD_CLOSES_FOR_MS = 10_000
/** A quote further than 1/50, 2 %, from the last accepted one is held back (rules §5). */
const JUMP_PART = 50
/** Quotes agree while the highest is at most 1/200, 0.5 %, above the lowest (rules §5). */
const AGREEING_PART = 200
/** So many quotes over so long have to agree before a jump is over (rules §5). */
const AGREEING_QUOTES = 10
const AGREEING_FOR_MS = 5_000
/** Seconds in a row without a price that close betting in live rounds, and with one that reopen it (rules §5). */
const UNPRICED_CLOSES_AT = 2
const PRICED_REOPENS_AT = 5

/** Why live rounds take no bets, in the order in which one is named when several apply (rules §2, §5). */
export const FEED_CLOSED_REASONS = ['STALE', 'AHEAD', 'JUMP', 'UNPRICED'] as const
export type FeedClosedReason = (typeof FEED_CLOSED_REASONS)[number]

/** Quotes received one after the other that agree among themselves, whatever was accepted before. */
interface Agreement {
  readonly quotes: number
  /** When the first of them came, by the database's clock, Unix ms. */
  readonly sinceMs: number
  /** The earliest and the latest of their own timestamps, Unix ms. */
  readonly fromMs: number
  readonly toMs: number
  readonly low: Price
  readonly high: Price
}

/** Before the first quote after a jump. */
const NONE_AGREE: Agreement = {
  quotes: 0,
  sinceMs: Infinity,
  fromMs: Infinity,
  toMs: -Infinity,
  low: Infinity,
  high: -Infinity,
}

/** How the newest seconds were priced. */
interface SecondsSeen {
  /** The newest second known, Unix seconds; null before the first. */
  readonly last: number | null
  /** So many in a row up to it have a price, or have none. */
  readonly inARow: number
  readonly arePriced: boolean
  /** Too many had no price, and not enough have had one since. */
  readonly areTooFew: boolean
}

/** What one process knows of its live feed. */
export interface FeedState {
  /** The youngest own timestamp of any quote that was not from the future, Unix ms. */
  readonly newestQuoteAtMs: number | null
  /** When a quote from the future last came, by the database's clock. */
  readonly lastAheadAtMs: number | null
  /** What the next quote is compared with: the last accepted one, or the last stored tick where that is younger. */
  readonly accepted: Quote | null
  /** Since a quote was held back and until enough agree: those that agree so far. Null without a jump. */
  readonly jump: Agreement | null
  readonly seconds: SecondsSeen
}

export const NO_QUOTES: FeedState = {
  newestQuoteAtMs: null,
  lastAheadAtMs: null,
  accepted: null,
  jump: null,
  // No second has had a price yet: betting opens after the first five that do.
  seconds: { last: null, inARow: 0, arePriced: false, areTooFew: true },
}

/** `held`: too far from the last accepted one. `old`: long overtaken by others, so that it prices nothing any more. */
export type QuoteVerdict = 'accepted' | 'held' | 'ahead' | 'old'

/** A quote and whether it was held back. */
export interface JudgedQuote extends Quote {
  readonly isHeld: boolean
}

/**
 * Takes a quote in (rules §2, §5). One from the future or long overtaken is dropped; one that lies more than 2 % from
 * the last accepted one is held back and closes betting until 10 quotes over at least 5 s agree within 0.5 %.
 *
 * Those 10 follow each other as they were received, agree among themselves (highest against lowest) and may lie
 * anywhere: where the price was before the jump, when it was a spike, or where it went, when it was a real move such as
 * an opening after the weekend. The last of them is then the accepted one. A quote that disagrees begins the count
 * anew. Until then quotes near the last accepted one still price their seconds: bets that stand are owed them, and a
 * feed that swings between two prices never gives the other.
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
    // The youngest stamp of those that agree: an older quote that comes late is compared with it and replaces nothing.
    const accepted = { price: quote.price, atMs: Math.max(jump.toMs, state.accepted?.atMs ?? jump.toMs) }
    return { state: { ...seen, accepted, jump: null }, verdict: 'accepted' }
  }
  return isNear
    ? { state: withAccepted({ ...seen, jump }, quote), verdict: 'accepted' }
    : { state: { ...seen, jump }, verdict: 'held' }
}

/**
 * Takes in the row of a second, in the order of the seconds: what every process reads alike, whoever wrote it. Its
 * quote is as good a sign of life as one's own, and where it is younger than the last accepted one the next quotes are
 * compared with it, so that processes which saw different quotes soon judge alike. Where such a row is a jump for this
 * process, betting closes here too until this process's own quotes agree. Seconds that were skipped had no price.
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

/** The quote that prices a second: null, too, where the last one before it was held back (rules §5). */
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
 * Ten over 5 s, by their own timestamps and by when they came: a feed that repeats one quote agrees about nothing, and
 * one that sends what it held up at once has not been watched for 5 s.
 */
const areEnough = ({ quotes, sinceMs, fromMs, toMs }: Agreement, nowMs: number): boolean =>
  quotes >= AGREEING_QUOTES && Math.min(toMs - fromMs, nowMs - sinceMs) >= AGREEING_FOR_MS

/** The agreement with one more quote, or a new one where the quote disagrees. */
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

/** A quote that arrives after a younger one may price its second; the next are compared with the younger. */
const withAccepted = (state: FeedState, { price, atMs }: Quote): FeedState =>
  state.accepted !== null && state.accepted.atMs > atMs ? state : { ...state, accepted: { price, atMs } }

const withNewestQuote = (state: FeedState, atMs: number): FeedState =>
  state.newestQuoteAtMs !== null && state.newestQuoteAtMs >= atMs ? state : { ...state, newestQuoteAtMs: atMs }

/** After a step back of the clock the seconds go on from the present one. */
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

const isFresh = (state: FeedState, nowMs: number): boolean =>
  state.newestQuoteAtMs !== null && nowMs - state.newestQuoteAtMs <= QUOTE_STALE_AFTER_MS

/** Why a live round takes no bets now, or null when it does. */
export function liveClosedReason(state: FeedState, nowMs: number): FeedClosedReason | null {
  if (!isFresh(state, nowMs)) return 'STALE'
  if (state.lastAheadAtMs !== null && nowMs - state.lastAheadAtMs < AHEAD_CLOSES_FOR_MS) return 'AHEAD'
  if (state.jump !== null) return 'JUMP'
  return state.seconds.areTooFew ? 'UNPRICED' : null
}

/**
 * The source of a round, fixed when it begins: live if gold is open from its start through its end and the newest
 * quote is at most 5 s old, else simulated (rules §5). A quote counts here only where rounds can be priced by it: while
 * betting in live rounds is closed, the newest quote is held back, comes too late for any second or may not be trusted.
 * A live round would then begin closed for betting and without prices, so it is simulated as when there is no quote.
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

/** When gold trades again, while it is shut; null while it trades or when no live source is configured. */
export const goldReopensAt = (live: PriceSource | null, nowMs: number): number | null =>
  live === null || isGoldOpen(nowMs) ? null : nextOpening(nowMs)
