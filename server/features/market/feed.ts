import { candleOpening, CANDLE_MINUTES } from '#domain/market/candles.ts'
import { chooseSource, type FeedClosedReason, goldReopensAt, NO_QUOTES } from '#domain/market/feed-state.ts'
import type { Price } from '#domain/market/prices.ts'
import { DAY_SECONDS, simulatedPrice } from '#domain/market/simulated-path.ts'
import { isLive, type LiveFeed, liveSource, type PriceSource, SIMULATED, sourceLabel } from '#domain/market/sources.ts'
import { type Tick, TICK_FINAL_AFTER_MS, TICK_MISSING_AFTER_MS } from '#domain/market/tick.ts'
import { type Clock, sleepUntil } from '#server/platform/clock.ts'
import type { Database, Queryable } from '#server/platform/db.ts'
import type { Logger } from '#server/platform/log.ts'
import { type CandleStore, createCandleStore } from './candle-store.ts'
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
  /** Base addresses of the providers, with or without a slash at the end. */
  readonly pythUrl: string
  readonly pythApiKey: string | null
  readonly swissquoteUrl: string
}

export interface MarketDeps {
  /** Where ticks are written and read: nobody's requests are in front of them. */
  readonly db: Database
  /** Where candles that a request asks for are read; left out, in `db`. */
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

/** What people are told about a source now. */
export interface SourceStatus {
  readonly source: PriceSource
  readonly label: string
  /** The newest tick that has a price, or null before the first; its age is now − quoteAtMs. */
  readonly lastPrice: LastPrice | null
  /** Why rounds of this source take no bets now, or null when they do. Simulated ones always do. */
  readonly closedReason: FeedClosedReason | null
  /** While a live source is configured and gold is shut: when it opens again, Unix ms (rules §5). */
  readonly goldReopensAtMs: number | null
}

/** How the reading of the live feed goes, for metrics. */
export interface FeedCounters extends QuoteCounters {
  /** Live ticks without a price. */
  readonly missing: number
}

export interface Market {
  /** Makes the seeds, writes the running second and begins to follow the feeds. Resolves when ticks can be asked for. */
  start(): Promise<void>
  /** Ends every timer and connection; resolves when the last write is done. */
  stop(): Promise<void>
  /** The configured live source, or null with a simulated feed only. */
  readonly liveSource: PriceSource | null
  /** Calls back once for each second of each source, in order, when its row is known. Answers the unsubscription. */
  onTick(callback: (tick: Tick) => void): () => void
  /** The newest tick this process has seen of a source, with or without a price. */
  lastTick(source: PriceSource): Tick | null
  /** The source for a round of this window, to be fixed in its row as it begins (rules §5). */
  chooseSource(opensAtMs: number, closesAtMs: number): PriceSource
  isLive(source: PriceSource): boolean
  labelOf(source: PriceSource): string
  /** Why rounds of a source take no bets now, or null: asked inside the bet's transaction, it touches no database. */
  closedReason(source: PriceSource): FeedClosedReason | null
  /** As of an instant of database time: a tick that has not come by then is left out. */
  status(source: PriceSource, nowMs: number): SourceStatus
  /** See ensureTicks of this feature: the same, for callers that are handed the market. */
  ensureTicks(q: Queryable, source: PriceSource, fromSecond: number, toSecond: number): Promise<TickRange>
  /**
   * Keeps what the provider signed for these ticks. Ticks at which rounds begin and end keep theirs by themselves; ask
   * for entries once they are known. Ten minutes back at most, and nothing for a source that doesn't sign.
   */
  keepEvidence(q: Queryable, source: PriceSource, seconds: readonly number[]): Promise<void>
  readonly candles: CandleStore
  counters(): FeedCounters
}

/** Every round begins and ends at a multiple of this, in Unix seconds: the lengths of spec §3 share it. */
const BOUNDARY_SECONDS = 30
const EVIDENCE_KEPT_SECONDS = 600
/** Recovery looks no further back; older seconds become missing ticks when a round or a candle asks for them. */
const RECOVERY_MAX_SECONDS = 7 * DAY_SECONDS
/** Hourly candles of so many days are folded right after the start, before somebody asks for them. */
const WARM_DAYS = 7

/**
 * The gold market of one process: it follows the feed, writes ticks and tells who listens. Every process does the same;
 * the first insert of a second wins and everybody reads it back (rules §2).
 */
export function createMarket({ db, readsDb = db, clock, settings, log }: MarketDeps): Market {
  const stopped = new AbortController()
  const { signal } = stopped
  const quotes = quotesOf(settings, { clock, log, signal })
  const live = quotes?.source ?? null
  const running = new Set<Promise<void>>()
  const listeners = new Set<(tick: Tick) => void>()
  const lastTicks = new Map<PriceSource, Tick>()
  /** The newest prices of each source, ascending: whoever read the database's time just before the newest came gets the one before. */
  const lastPrices = new Map<PriceSource, readonly LastPrice[]>()
  let missingTicks = 0
  const evidence = new Map<number, SignedQuote>()
  let today: SimulatedDay | null = null
  let seedsThroughDay = 0

  const candles = createCandleStore(readsDb, (source) => lastTicks.get(source)?.second ?? null, signal)

  /** Work that goes on by itself, awaited by stop(). */
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
   * Goes on from what is stored, so that a process which starts compares its first quote with the price everybody
   * knows, and opens at once where others kept the seconds priced. Answers the newest stored second up to now.
   */
  async function recallTicks(source: PriceSource, nowSecond: number): Promise<number | null> {
    const ticks = await readNewestTicks(db, source, nowSecond, nowSecond - RECOVERY_MAX_SECONDS)
    quotes?.recall(ticks)
    return ticks.at(-1)?.second ?? null
  }

  /** The simulated tick of a second, written by whoever is first. */
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

  /** The live tick of a second: from our own quotes at 400 ms, or else what is there at 700 ms. */
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

  /** Keeps the seeds 8 days ahead as the days go by. */
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
      // What is still running may start something more (recovery of a late loop) before it ends.
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

/** The quotes of the configured feed, or null with a simulated one only. `auto` is pyth when there is a key for it (rules §5). */
function quotesOf(
  { goldFeed, pythApiKey: apiKey, pythUrl, swissquoteUrl }: MarketSettings,
  deps: Pick<LiveQuotesDeps, 'clock' | 'log' | 'signal'>,
): LiveQuotes | null {
  const feed = goldFeed !== 'auto' ? goldFeed : apiKey === null ? 'simulated' : 'pyth'
  if (feed === 'simulated') return null
  const baseUrl = (feed === 'pyth' ? pythUrl : swissquoteUrl).replace(/\/+$/, '')
  return createLiveQuotes({ ...deps, feed, baseUrl, apiKey, source: liveSource(feed, new URL(baseUrl).host) })
}
