import type { FeedStatus } from '#contract/market.ts'
import { candleOpening, CANDLE_MINUTES } from '#domain/market/candles.ts'
import { chooseSource, type FeedClosedReason, goldReopensAt, NO_QUOTES } from '#domain/market/feed-state.ts'
import { DAY_SECONDS } from '#domain/market/simulated-path.ts'
import { sourceLabel } from '#domain/market/source-label.ts'
import { isLive, type LiveFeed, liveSource, type PriceSource, SIMULATED } from '#domain/market/sources.ts'
import { type Tick, TICK_FINAL_AFTER_MS } from '#domain/market/tick.ts'
import type { Clock } from '#server/platform/process/clock.ts'
import type { Database, Queryable } from '#server/platform/database/db.ts'
import { logging, repeating, type Stop, stopAll } from '#server/platform/process/jobs.ts'
import type { Logger } from '#server/platform/process/log.ts'
import { type CandleStore, createCandleStore } from './candle-store.ts'
import { keepFeedInBook } from './feed-in-book.ts'
import { createLiveQuotes, type LiveQuotes, type LiveQuotesDeps, NO_COUNTS, type QuoteCounters } from './live-quotes.ts'
import { createSeenTicks } from './seen-ticks.ts'
import { ensureSeeds, keepingSeeds } from './seeds.ts'
import { createTickLoop } from './tick-loop.ts'
import { createTickWriter } from './tick-writer.ts'
import { ensureTicks, readNewestTicks, type TickRange } from './ticks.ts'

export interface MarketSettings {
  readonly goldFeed: 'auto' | 'simulated' | LiveFeed
  readonly pythUrl: string
  readonly pythApiKey: string | null
  readonly swissquoteUrl: string
}

export interface MarketDeps {
  /** A connection pool that serves no requests of clients, so that ticks do not queue behind requests. */
  readonly db: Database
  /** The connection pool for candles that clients request; `db` by default. */
  readonly readsDb?: Database
  readonly clock: Clock
  readonly settings: MarketSettings
  readonly log: Logger
}

export interface FeedCounters extends QuoteCounters {
  readonly missing: number
}

export interface Market {
  start(): Promise<void>
  stop(): Promise<void>
  readonly liveSource: PriceSource | null
  /**
   * Calls `callback` with each tick as soon as its row is known. Seconds are skipped after a long delay, and come again
   * after the clock was set back. Returns a function that unsubscribes.
   */
  onTick(callback: (tick: Tick) => void): () => void
  lastTick(source: PriceSource): Tick | null
  chooseSource(opensAtMs: number, closesAtMs: number): PriceSource
  isLive(source: PriceSource): boolean
  readonly labelOf: (source: PriceSource) => string
  /** Returns null while bets are taken. Does not access the database: a bet's transaction waits for the answer. */
  closedReason(source: PriceSource): FeedClosedReason | null
  /** Returns the present status, with the last price at `nowMs`, an instant of database time. */
  feedStatus(source: PriceSource, nowMs: number): FeedStatus
  ensureTicks(q: Queryable, source: PriceSource, fromSecond: number, toSecond: number): Promise<TickRange>
  /**
   * Stores the provider's signed bytes of the ticks of `seconds`, if this process has them: it keeps all bytes in
   * memory for at least ten minutes. Bytes of ticks at which calendar rounds begin or end are stored without this call.
   */
  keepEvidence(q: Queryable, source: PriceSource, seconds: readonly number[]): Promise<void>
  readonly candles: CandleStore
  counters(): FeedCounters
}

const SEEDS_EVERY_MS = 60_000
/** When a market starts, it writes the missing ticks of at most this many past seconds. */
const RECOVERY_MAX_SECONDS = 7 * DAY_SECONDS
const WARM_DAYS = 7

/**
 * Creates the market, which follows the feed, writes ticks and calls its listeners. Every process has a market: the
 * first insert of a second's tick wins, and the other processes read that row (rules §2.4).
 */
// oxlint-disable-next-line max-lines-per-function -- parts over one state (decision 036)
export function createMarket({ db, readsDb = db, clock, settings, log }: MarketDeps): Market {
  const stopped = new AbortController()
  const { signal } = stopped
  const quotes = quotesOf(settings, { clock, log, signal })
  const live = quotes?.source ?? null
  const { track, ended } = createTasks(log)
  const started: Stop[] = []
  const seen = createSeenTicks(log)
  const writer = createTickWriter({ db, clock, signal, quotes })
  const candles = createCandleStore(readsDb, (source) => seen.lastTick(source)?.second ?? null, signal)
  const ahead = foldAhead({ candles, log, signal })

  function publish(tick: Tick): void {
    if (tick.source === live) quotes?.noteTick(tick)
    seen.publish(tick)
  }

  const loop = createTickLoop({
    db,
    clock,
    log,
    signal,
    track,
    onTick(tick) {
      publish(tick)
      if (isLive(tick.source)) track('the candles', ahead.closedBy(tick.source, tick.second))
    },
  })

  /**
   * Passes stored ticks to the feed. The feed compares its first quote with their last price, and counts how many of
   * the newest seconds in a row have a price. Returns the newest tick's second; null without ticks.
   */
  async function recallTicks(feed: LiveQuotes, nowSecond: number): Promise<number | null> {
    const ticks = await readNewestTicks(db, feed.source, nowSecond, nowSecond - RECOVERY_MAX_SECONDS)
    feed.recall(ticks)
    return ticks.at(-1)?.second ?? null
  }

  function followLive(feed: LiveQuotes, second: number, lastSecond: number | null): void {
    const { source } = feed
    track('the price feed', feed.read())
    const writeTick = (due: number) => writer.liveTick(source, due)
    track('the live ticks', loop.follow(source, second + 1, TICK_FINAL_AFTER_MS, writeTick))
    if (lastSecond !== null)
      track('recovery', loop.recover(source, Math.max(lastSecond + 1, second - RECOVERY_MAX_SECONDS), second))
  }

  async function start(): Promise<void> {
    await ensureSeeds(db)
    const second = Math.floor(clock.now() / 1000)
    const first = await loop.attempt(SIMULATED, second, () => writer.simulatedTick(second))
    if (first !== null) publish(first)
    const lastSecond = quotes === null ? null : await recallTicks(quotes, second)
    track('the simulated feed', loop.follow(SIMULATED, second + 1, 0, writer.simulatedTick))
    if (quotes !== null) followLive(quotes, second, lastSecond)
    const seedsFailed = logging(log, 'the seeds of the days to come could not be made', 'error')
    started.push(
      repeating(SEEDS_EVERY_MS, keepingSeeds(db, clock), seedsFailed, { isAtOnce: true }),
      keepFeedInBook({
        ...{ db, log, live, closedReason },
        isClockSure: () => clock.isSure(),
        isGoldOpen: () => goldReopensAt(live, clock.now()) === null,
      }),
    )
    track('the candles', ahead.warm(live === null ? [SIMULATED] : [SIMULATED, live], second))
    log.info({ source: live ?? SIMULATED, label: sourceLabel(live ?? SIMULATED) }, 'the market is open')
  }

  const closedReason = (source: PriceSource): FeedClosedReason | null => {
    if (source === SIMULATED) return null
    return source === live && quotes !== null ? quotes.closedReason() : 'STALE'
  }

  return {
    start,
    async stop() {
      stopped.abort()
      await stopAll(started)
      await ended()
    },
    liveSource: live,
    onTick: seen.onTick,
    lastTick: seen.lastTick,
    chooseSource: (opensAtMs, closesAtMs) =>
      chooseSource(live, quotes?.state ?? NO_QUOTES, opensAtMs, closesAtMs, clock.now()),
    isLive,
    labelOf: sourceLabel,
    closedReason,
    ensureTicks: (q, source, fromSecond, toSecond) => ensureTicks(q, source, fromSecond, toSecond, clock.isSure()),
    feedStatus(source, nowMs) {
      const last = seen.lastPrice(source, nowMs)
      return {
        source,
        label: sourceLabel(source),
        lastPrice: last?.price ?? null,
        lastQuoteAtMs: last?.quoteAtMs ?? null,
        closedReason: closedReason(source),
        goldReopensAtMs: goldReopensAt(live, clock.now()),
      }
    },
    async keepEvidence(q, source, seconds) {
      if (source === live) await writer.keepEvidence(q, source, seconds)
    },
    candles,
    counters: () => ({ ...(quotes?.counters() ?? NO_COUNTS), missing: writer.missing() }),
  }
}

function createTasks(log: Logger) {
  const running = new Set<Promise<void>>()
  const track = (name: string, work: Promise<void>): void => {
    const task = work.catch(logging(log, `${name} ended unexpectedly`, 'error')).finally(() => running.delete(task))
    running.add(task)
  }
  const ended = async (): Promise<void> => {
    // The wait is repeated, because a running task may start another task, such as a recovery, before it ends.
    while (running.size > 0) await Promise.all(running)
  }
  return { track, ended }
}

function foldAhead({ candles, log, signal }: { candles: CandleStore; log: Logger; signal: AbortSignal }) {
  return {
    async closedBy(source: PriceSource, second: number): Promise<void> {
      try {
        for (const minutes of CANDLE_MINUTES)
          if (candleOpening(second + 1, minutes) === second + 1)
            await candles.read(source, minutes, second + 1 - minutes * 60, second + 1)
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error, source }, 'a candle could not be kept; it is folded when asked for')
      }
    },
    async warm(sources: readonly PriceSource[], nowSecond: number): Promise<void> {
      try {
        for (const source of sources) await candles.read(source, 60, nowSecond - WARM_DAYS * DAY_SECONDS, nowSecond)
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error }, 'candles could not be prepared; they are when asked for')
      }
    },
  }
}

/** Returns the configured feed's quotes, null if simulated. `auto` is pyth with a key, else simulated (rules §5.1). */
function quotesOf(
  { goldFeed, pythApiKey: apiKey, pythUrl, swissquoteUrl }: MarketSettings,
  deps: Pick<LiveQuotesDeps, 'clock' | 'log' | 'signal'>,
): LiveQuotes | null {
  const feed = goldFeed !== 'auto' ? goldFeed : apiKey === null ? 'simulated' : 'pyth'
  if (feed === 'simulated') return null
  const baseUrl = (feed === 'pyth' ? pythUrl : swissquoteUrl).replace(/\/+$/, '')
  return createLiveQuotes({ ...deps, feed, baseUrl, apiKey, source: liveSource(feed, new URL(baseUrl).host) })
}
