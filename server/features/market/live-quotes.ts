import {
  type FeedClosedReason,
  type FeedState,
  type JudgedQuote,
  judgeQuote,
  liveClosedReason,
  NO_QUOTES,
  pricingQuote,
  type QuoteVerdict,
  withTick,
} from '#domain/market/feed-state.ts'
import type { LiveFeed, PriceSource } from '#domain/market/sources.ts'
import { QUOTE_WINDOW_MS, type Tick } from '#domain/market/tick.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Logger } from '#server/platform/log.ts'
import { readPyth } from './pyth.ts'
import { readSwissquote } from './swissquote.ts'
import type { SignedQuote } from './ticks.ts'

/** How the reading of the live feed goes, for metrics. */
export interface QuoteCounters {
  readonly quotes: number
  /** Lines and answers that were no quote. */
  readonly garbage: number
  /** Failed connections and answers. */
  readonly failures: number
  /** Quotes from the future, dropped. */
  readonly ahead: number
  /** Quotes too far from the last accepted one, held back. */
  readonly held: number
}

export interface LiveQuotesDeps {
  readonly feed: LiveFeed
  readonly source: PriceSource
  /** The provider's base address, without a slash at its end. */
  readonly baseUrl: string
  readonly apiKey: string | null
  readonly clock: Clock
  readonly log: Logger
  /** Ends the reading. */
  readonly signal: AbortSignal
}

/** What one process hears from the live feed: it reads quotes, judges them and knows whether they can be trusted. */
export interface LiveQuotes {
  readonly source: PriceSource
  /** Follows the provider until the signal; what fails is tried again. */
  read(): Promise<void>
  /** The quote that prices a second, of those that came (rules §2), or null. */
  pricing(second: number): SignedQuote | null
  /** A tick of the source that is stored: quotes are judged by it, and it says how long the price has been missing. */
  noteTick(tick: Tick): void
  /** As `noteTick`, of ticks from before this process began. */
  recall(ticks: readonly Tick[]): void
  readonly state: FeedState
  /** Why live rounds take no bets now, or null (rules §5). */
  closedReason(): FeedClosedReason | null
  counters(): QuoteCounters
}

/** Quotes are of no more use to any tick once they are this old. */
const QUOTES_KEPT_MS = QUOTE_WINDOW_MS + 5_000

export function createLiveQuotes({ feed, source, baseUrl, apiKey, clock, log, signal }: LiveQuotesDeps): LiveQuotes {
  const counts = { quotes: 0, garbage: 0, failures: 0, ahead: 0, held: 0 }
  let feedState: FeedState = NO_QUOTES
  let loggedReason: FeedClosedReason | null = 'UNPRICED'
  let received: (SignedQuote & JudgedQuote)[] = []

  function takeQuote(quote: SignedQuote): void {
    const nowMs = clock.now()
    const { state, verdict } = judgeQuote(feedState, quote, nowMs)
    feedState = state
    if (verdict === 'ahead' || verdict === 'held') logRefused(quote, verdict, nowMs)
    if (verdict === 'ahead') return
    counts.quotes++
    if (verdict !== 'old' && quote.atMs > nowMs - QUOTES_KEPT_MS) {
      const young = received.filter(({ atMs }) => atMs > nowMs - QUOTES_KEPT_MS)
      received = [...young, { ...quote, isHeld: verdict === 'held' }]
    }
  }

  function logRefused(
    { price, atMs }: SignedQuote,
    verdict: Extract<QuoteVerdict, 'ahead' | 'held'>,
    nowMs: number,
  ): void {
    if (counts[verdict]++ % 100 !== 0) return
    const seen = { price, aheadMs: atMs - nowMs, count: counts[verdict] }
    if (verdict === 'ahead') log.warn(seen, 'a quote from the future was dropped')
    else log.warn({ ...seen, accepted: feedState.accepted?.price }, 'a quote far from the last one was held back')
  }

  /** Says in the log that betting in live rounds closed or opened, once each. */
  function logClosing(): void {
    const reason = liveClosedReason(feedState, clock.now())
    if (reason === loggedReason) return
    loggedReason = reason
    if (reason === null) log.info({ source }, 'live rounds take bets')
    else log.warn({ source, reason }, 'live rounds take no bets')
  }

  /** Reads the live feed and says in the log when it is lost and when it is back, once each. */
  async function readFeed(): Promise<void> {
    let isHealthy: boolean | null = null
    const options = {
      baseUrl,
      signal,
      onQuote: (quote: SignedQuote) => {
        if (isHealthy !== true) log.info({ source }, 'the price feed gives quotes')
        isHealthy = true
        takeQuote(quote)
      },
      onGarbage: (reason: string) => {
        if (counts.garbage++ % 1000 === 0)
          log.warn({ source, reason, count: counts.garbage }, 'the price feed sent no quote')
      },
      onFailure: (reason: string) => {
        counts.failures++
        if (isHealthy !== false) log.warn({ source, reason }, 'the price feed is lost; trying again')
        isHealthy = false
      },
    }
    await (feed === 'pyth' ? readPyth({ ...options, apiKey: apiKey }) : readSwissquote(options))
  }

  return {
    source,
    read: readFeed,
    pricing: (second) => pricingQuote(received, second),
    noteTick(tick) {
      feedState = withTick(feedState, tick)
      logClosing()
    },
    recall: (ticks) => void (feedState = ticks.reduce(withTick, feedState)),
    get state() {
      return feedState
    },
    closedReason: () => liveClosedReason(feedState, clock.now()),
    counters: () => ({ ...counts }),
  }
}
