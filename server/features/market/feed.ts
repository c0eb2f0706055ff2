import { candleOpening, CANDLE_MINUTES } from '#domain/market/candles.ts'
import { chooseSource, type FeedClosedReason, goldReopensAt, NO_QUOTES } from '#domain/market/feed-state.ts'
import type { Price } from '#domain/market/prices.ts'
import { DAY_SECONDS, simulatedPrice } from '#domain/market/simulated-path.ts'
import { sourceLabel } from '#domain/market/source-label.ts'
import { isLive, type LiveFeed, liveSource, type PriceSource, SIMULATED } from '#domain/market/sources.ts'
import { type Tick, TICK_FINAL_AFTER_MS, TICK_MISSING_AFTER_MS } from '#domain/market/tick.ts'
import { type Clock, sleepUntil } from '#server/platform/clock.ts'
import type { Database, Queryable } from '#server/platform/db.ts'
import type { Logger } from '#server/platform/log.ts'
import { type CandleStore, createCandleStore } from './candle-store.ts'
import { keepFeedInBook } from './feed-in-book.ts'
import { pause } from './feed-reader.ts'
import { createLiveQuotes, type LiveQuotes, type LiveQuotesDeps, type QuoteCounters } from './live-quotes.ts'
import { COMMITTED_DAYS_AHEAD, dayOf, ensureSeeds, loadDay, type SimulatedDay } from './seeds.ts'
import { createTickLoop } from './tick-loop.ts'
import {
  ensureTicks,
  insertEvidence,
  insertLive,
  insertMissing,
  insertSimulated,
  readNewestTicks,
  readTicks,
  type SignedQuote,
  type TickRange,
} from './ticks.ts'

export interface MarketSettings {
  readonly goldFeed: 'auto' | 'simulated' | LiveFeed
  /** Base addresses of the providers, with or without a trailing slash. */
  readonly pythUrl: string
  readonly pythApiKey: string | null
  readonly swissquoteUrl: string
}

export interface MarketDeps {
  /** Connections for writing and reading ticks, on which no request is queued. */
  readonly db: Database
  /** Connections for reading candles that a request asks for; `db` by default. */
  readonly readsDb?: Database
  readonly clock: Clock
  readonly settings: MarketSettings
  readonly log: Logger
}

interface LastPrice {
  readonly second: number
  readonly price: Price
  readonly quoteAtMs: number
}

/** The state of a source as screens show it. */
export interface SourceStatus {
  readonly source: PriceSource
  readonly label: string
  /** The newest tick with a price; null before the first. Its age is now − quoteAtMs. */
  readonly lastPrice: LastPrice | null
  /** The reason why rounds of this source take no bets now; null when they do. Simulated rounds always take bets. */
  readonly closedReason: FeedClosedReason | null
  /**
   * When gold trades again, Unix ms, while a live source is configured and gold is closed (rules §5); otherwise null.
   */
  readonly goldReopensAtMs: number | null
}

/** Counters of the live feed, for metrics. */
export interface FeedCounters extends QuoteCounters {
  /** Live ticks without a price. */
  readonly missing: number
}

export interface Market {
  /** Creates the seeds, writes the running second and starts following the feeds. Resolves when ticks can be read. */
  start(): Promise<void>
  /** Ends every timer and connection; resolves when the last write is done. */
  stop(): Promise<void>
  /** The configured live source; null when the feed is simulated. */
  readonly liveSource: PriceSource | null
  /**
   * Calls back once for each second of each source, in order, when its row is known. Answers a function that
   * unsubscribes.
   */
  onTick(callback: (tick: Tick) => void): () => void
  /** The newest tick this process has seen of a source, with or without a price. */
  lastTick(source: PriceSource): Tick | null
  /** The source for a round of this window, stored in its row when it begins (rules §5). */
  chooseSource(opensAtMs: number, closesAtMs: number): PriceSource
  isLive(source: PriceSource): boolean
  labelOf(source: PriceSource): string
  /**
   * The reason why rounds of a source take no bets now, or null. Called inside the bet's transaction, so it does not
   * access the database.
   */
  closedReason(source: PriceSource): FeedClosedReason | null
  /** The state as of an instant of database time: later ticks are left out. */
  status(source: PriceSource, nowMs: number): SourceStatus
  /** ensureTicks of this feature, for callers that have the market. */
  ensureTicks(q: Queryable, source: PriceSource, fromSecond: number, toSecond: number): Promise<TickRange>
  /**
   * Stores the provider's signed bytes for these ticks. Ticks at which rounds begin and end are stored automatically;
   * call this for entry ticks once they are known. Reaches back ten minutes at most, and stores nothing for a source
   * that does not sign.
   */
  keepEvidence(q: Queryable, source: PriceSource, seconds: readonly number[]): Promise<void>
  readonly candles: CandleStore
  counters(): FeedCounters
}

/** Every round begins and ends at a multiple of this, in Unix seconds: it divides all lengths of spec §3. */
const BOUNDARY_SECONDS = 30
const EVIDENCE_KEPT_SECONDS = 600
/** Recovery looks no further back. Older seconds become missing ticks when a round or a candle needs them. */
const RECOVERY_MAX_SECONDS = 7 * DAY_SECONDS
/** Hourly candles of this many days are folded right after the start, before a request needs them. */
const WARM_DAYS = 7

/**
 * The gold market of one process: it follows the feed, writes ticks and notifies its listeners. Every process does the
 * same: the first insert of a second wins, and all processes read that row back (rules §2).
 */
export function createMarket({ db, readsDb = db, clock, settings, log }: MarketDeps): Market {
  const stopped = new AbortController()
  const { signal } = stopped
  const quotes = quotesOf(settings, { clock, log, signal })
  const live = quotes?.source ?? null
  const running = new Set<Promise<void>>()
  const listeners = new Set<(tick: Tick) => void>()
  const lastTicks = new Map<PriceSource, Tick>()
  /**
   * The newest prices of each source, ascending. A caller that read the database's time just before the newest tick
   * gets the tick before.
   */
  const lastPrices = new Map<PriceSource, readonly LastPrice[]>()
  let missingTicks = 0
  const evidence = new Map<number, SignedQuote>()
  let today: SimulatedDay | null = null
  let seedsThroughDay = 0

  const candles = createCandleStore(readsDb, (source) => lastTicks.get(source)?.second ?? null, signal)

  /** Background tasks, which stop() awaits. */
  function track(name: string, work: Promise<void>): void {
    const ended = work
      .catch((error: unknown) => log.error({ err: error }, `${name} ended unexpectedly`))
      .finally(() => running.delete(ended))
    running.add(ended)
  }

  const loop = createTickLoop({
    db,
    clock,
    log,
    signal,
    track,
    onTick(tick) {
      publish(tick)
      if (isLive(tick.source)) track('the candles', keepCandles(tick.source, tick.second))
    },
  })

  function publish(tick: Tick): void {
    lastTicks.set(tick.source, tick)
    const earlier = (lastPrices.get(tick.source) ?? []).filter(({ second }) => second < tick.second)
    lastPrices.set(tick.source, earlier)
    if (tick.price !== null && tick.quoteAtMs !== null) {
      const last = { second: tick.second, price: tick.price, quoteAtMs: tick.quoteAtMs }
      lastPrices.set(tick.source, [...earlier.slice(-1), last])
    }
    if (tick.source === live) quotes?.noteTick(tick)
    for (const listener of listeners) {
      try {
        listener(tick)
      } catch (error) {
        log.error({ err: error }, 'a listener to ticks failed')
      }
    }
  }

  async function readRow(source: PriceSource, second: number): Promise<Tick | null> {
    return (await readTicks(db, source, second, second))[0] ?? null
  }

  /**
   * Loads the stored ticks, so that a new process compares its first quote with the last known price, and opens betting
   * at once when other processes kept pricing the seconds. Answers the newest stored second up to now.
   */
  async function recallTicks(source: PriceSource, nowSecond: number): Promise<number | null> {
    const ticks = await readNewestTicks(db, source, nowSecond, nowSecond - RECOVERY_MAX_SECONDS)
    quotes?.recall(ticks)
    return ticks.at(-1)?.second ?? null
  }

  /** The simulated tick of a second, written by the first process. */
  async function simulatedTick(second: number): Promise<Tick | null> {
    const day = dayOf(second)
    if (today?.day !== day) {
      await ensureSeeds(db)
      today = await loadDay(db, day)
    }
    if (today === null) throw new RangeError(`Day ${day} has no simulated path`)
    const price = simulatedPrice(today.hash, today.startPrice, second - day * DAY_SECONDS)
    return (await insertSimulated(db, [{ second, price }]))[0] ?? (await readRow(SIMULATED, second))
  }

  /** The live tick of a second: from this process's own quotes at 400 ms, otherwise the stored row at 700 ms. */
  async function liveTick(source: PriceSource, second: number): Promise<Tick | null> {
    const quote = quotes?.pricing(second) ?? null
    if (quote !== null) {
      if (quote.evidence !== null) {
        evidence.set(second, quote)
        evidence.delete(second - EVIDENCE_KEPT_SECONDS)
      }
      const isBoundary = second % BOUNDARY_SECONDS === 0
      const own = await insertLive(db, source, second, quote, isBoundary ? quote.evidence : null)
      if (own !== null) return own
      const theirs = await readRow(source, second)
      if (theirs !== null) {
        if (isBoundary) await insertEvidence(db, source, second, quote)
        return theirs
      }
    }
    if (!(await sleepUntil(clock, second * 1000 + TICK_MISSING_AFTER_MS, signal))) return null
    if (!clock.isSure()) return null
    await insertMissing(db, source, second, second)
    const row = await readRow(source, second)
    if (row?.price === null) missingTicks++
    return row
  }

  /** Folds the candles that the tick of this second closes, so that no request has to. */
  async function keepCandles(source: PriceSource, second: number): Promise<void> {
    try {
      for (const minutes of CANDLE_MINUTES)
        if (candleOpening(second + 1, minutes) === second + 1)
          await candles.read(source, minutes, second + 1 - minutes * 60, second + 1)
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error, source }, 'a candle could not be kept; it is folded when asked for')
    }
  }

  /** Keeps seeds 8 days ahead. */
  async function watchSeeds(): Promise<void> {
    for (;;) {
      const day = dayOf(clock.now() / 1000)
      if (seedsThroughDay < day + COMMITTED_DAYS_AHEAD) {
        try {
          await ensureSeeds(db)
          seedsThroughDay = day + COMMITTED_DAYS_AHEAD
        } catch (error) {
          log.error({ err: error }, 'the seeds of the days to come could not be made')
        }
      }
      await pause(60_000, signal)
      if (signal.aborted) return
    }
  }

  async function warmCandles(nowSecond: number): Promise<void> {
    try {
      for (const source of live === null ? [SIMULATED] : [SIMULATED, live])
        await candles.read(source, 60, nowSecond - WARM_DAYS * DAY_SECONDS, nowSecond)
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'candles could not be prepared; they are when asked for')
    }
  }

  async function start(): Promise<void> {
    await ensureSeeds(db)
    const second = Math.floor(clock.now() / 1000)
    const first = await loop.attempt(SIMULATED, second, () => simulatedTick(second))
    if (first !== null) publish(first)
    const lastLive = live === null ? null : await recallTicks(live, second)
    track('the simulated feed', loop.follow(SIMULATED, second + 1, 0, simulatedTick))
    if (quotes !== null && live !== null) {
      const from = second + 1
      track('the price feed', quotes.read())
      track(
        'the live ticks',
        loop.follow(live, from, TICK_FINAL_AFTER_MS, (s) => liveTick(live, s)),
      )
      if (lastLive !== null)
        track('recovery', loop.recover(live, Math.max(lastLive + 1, second - RECOVERY_MAX_SECONDS), from - 1))
    }
    track('the seeds', watchSeeds())
    track(
      'the feed in the open book',
      keepFeedInBook({
        db,
        log,
        signal,
        live,
        isClockSure: () => clock.isSure(),
        isGoldOpen: () => goldReopensAt(live, clock.now()) === null,
        closedReason,
      }),
    )
    track('the candles', warmCandles(second))
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
      // A running task may start another one (a late loop starts its recovery) before it ends.
      while (running.size > 0) await Promise.all(running)
    },
    liveSource: live,
    onTick(callback) {
      listeners.add(callback)
      return () => listeners.delete(callback)
    },
    lastTick: (source) => lastTicks.get(source) ?? null,
    chooseSource: (opensAtMs, closesAtMs) =>
      chooseSource(live, quotes?.state ?? NO_QUOTES, opensAtMs, closesAtMs, clock.now()),
    isLive,
    labelOf: sourceLabel,
    closedReason,
    ensureTicks: (q, source, fromSecond, toSecond) => ensureTicks(q, source, fromSecond, toSecond, clock.isSure()),
    status: (source, nowMs) => ({
      source,
      label: sourceLabel(source),
      lastPrice: lastPrices.get(source)?.findLast(({ second }) => second * 1000 <= nowMs) ?? null,
      closedReason: closedReason(source),
      goldReopensAtMs: goldReopensAt(live, clock.now()),
    }),
    async keepEvidence(q, source, seconds) {
      if (source !== live) return
      for (const second of seconds) {
        const quote = evidence.get(second)
        if (quote !== undefined) await insertEvidence(q, source, second, quote)
      }
    },
    candles,
    counters: () => ({ ...(quotes?.counters() ?? NO_COUNTS), missing: missingTicks }),
  }
}

const NO_COUNTS: QuoteCounters = { quotes: 0, garbage: 0, failures: 0, ahead: 0, held: 0 }

/**
 * The quotes of the configured feed; null when the feed is simulated. `auto` means pyth when its key is set (rules §5).
 */
function quotesOf(
  { goldFeed, pythApiKey: apiKey, pythUrl, swissquoteUrl }: MarketSettings,
  deps: Pick<LiveQuotesDeps, 'clock' | 'log' | 'signal'>,
): LiveQuotes | null {
  const feed = goldFeed !== 'auto' ? goldFeed : apiKey === null ? 'simulated' : 'pyth'
  if (feed === 'simulated') return null
  const baseUrl = (feed === 'pyth' ? pythUrl : swissquoteUrl).replace(/\/+$/, '')
  return createLiveQuotes({ ...deps, feed, baseUrl, apiKey, source: liveSource(feed, new URL(baseUrl).host) })
}
