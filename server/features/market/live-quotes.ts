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
import type { Clock } from '#server/platform/process/clock.ts'
import type { Logger } from '#server/platform/process/log.ts'
import { readPyth } from './pyth.ts'
import { readSwissquote } from './swissquote.ts'
import type { SignedQuote } from './ticks.ts'

export interface QuoteCounters {
  readonly quotes: number
  readonly garbage: number
  readonly failures: number
  /** Quotes that were dropped because their time lies in the future. */
  readonly ahead: number
  /** Quotes that were held back because their price is too far from the last accepted price. */
  readonly held: number
}

export const NO_COUNTS: QuoteCounters = { quotes: 0, garbage: 0, failures: 0, ahead: 0, held: 0 }

export interface LiveQuotesDeps {
  readonly feed: LiveFeed
  readonly source: PriceSource
  readonly baseUrl: string
  readonly apiKey: string | null
  readonly clock: Clock
  readonly log: Logger
  readonly signal: AbortSignal
}

export type LiveQuotes = ReturnType<typeof createLiveQuotes>

const QUOTES_KEPT_MS = QUOTE_WINDOW_MS + 5_000

// oxlint-disable-next-line max-lines-per-function -- parts over one state (decision 036)
export function createLiveQuotes({ feed, source, baseUrl, apiKey, clock, log, signal }: LiveQuotesDeps) {
  const counts = { ...NO_COUNTS }
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

  function logClosing(): void {
    const reason = liveClosedReason(feedState, clock.now())
    if (reason === loggedReason) return
    loggedReason = reason
    if (reason === null) log.info({ source }, 'live rounds take bets')
    else log.warn({ source, reason }, 'live rounds take no bets')
  }

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
    await (feed === 'pyth' ? readPyth({ ...options, apiKey }) : readSwissquote(options))
  }

  return {
    source,
    read: readFeed,
    pricing: (second: number): SignedQuote | null => pricingQuote(received, second),
    /** Keeps a stored tick to compare later quotes with it. Two unpriced ticks in a row close betting (rules §5.4). */
    noteTick(tick: Tick): void {
      feedState = withTick(feedState, tick)
      logClosing()
    },
    /** Like `noteTick`, for ticks stored before this process started. */
    recall: (ticks: readonly Tick[]) => void (feedState = ticks.reduce(withTick, feedState)),
    get state() {
      return feedState
    },
    closedReason: () => liveClosedReason(feedState, clock.now()),
    counters: (): QuoteCounters => ({ ...counts }),
  }
}
