import { candleOpening, CANDLE_MINUTES } from '#domain/market/candles.ts'
import {
  chooseSource,
  type FeedClosedReason,
  type FeedState,
  goldReopensAt,
  type JudgedQuote,
  judgeQuote,
  liveClosedReason,
  NO_QUOTES,
  pricingQuote,
  type QuoteVerdict,
  withTick,
} from '#domain/market/feed-state.ts'
import type { Price } from '#domain/market/prices.ts'
import { DAY_SECONDS, simulatedPrice } from '#domain/market/simulated-path.ts'
import { isLive, type LiveFeed, liveSource, type PriceSource, SIMULATED, sourceLabel } from '#domain/market/sources.ts'
import { QUOTE_WINDOW_MS, type Tick, TICK_FINAL_AFTER_MS, TICK_MISSING_AFTER_MS } from '#domain/market/tick.ts'
import { type Clock, sleepUntil } from '#server/platform/clock.ts'
import type { Database, Queryable } from '#server/platform/db.ts'
import type { Logger } from '#server/platform/log.ts'
import { type CandleStore, createCandleStore } from './candle-store.ts'
import { pause } from './feed-reader.ts'
import { readPyth } from './pyth.ts'
import { COMMITTED_DAYS_AHEAD, dayOf, ensureSeeds, loadDay, type SimulatedDay } from './seeds.ts'
import { readSwissquote } from './swissquote.ts'
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
export interface FeedCounters {
  readonly quotes: number
  /** Lines and answers that were no quote. */
  readonly garbage: number
  /** Failed connections and answers. */
  readonly failures: number
  /** Quotes from the future, dropped. */
  readonly ahead: number
  /** Quotes too far from the last accepted one, held back. */
  readonly held: number
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
/** Quotes are of no more use to any tick once they are this old. */
const QUOTES_KEPT_MS = QUOTE_WINDOW_MS + 5_000
/** A loop that is later than this (a suspended machine, a database away) goes on with the running second. */
const LAG_MAX_MS = 5_000
/** A loop whose next second lies further ahead than this goes on with the running second: the clock was set back. */
const LEAD_MAX_MS = 2_000
/** How soon the clock is looked at again while it is unsure, when no tick is written (rules §2). */
const UNSURE_LOOK_MS = 50
const RETRY_MS = 20
const CLOCK_MARGIN_MS = 100
/** Recovery looks no further back; older seconds become missing ticks when a round or a candle asks for them. */
const RECOVERY_MAX_SECONDS = 7 * DAY_SECONDS
const RECOVERY_BATCH_SECONDS = 2_000
/** Hourly candles of so many days are folded right after the start, before somebody asks for them. */
const WARM_DAYS = 7

/**
 * The gold market of one process: it follows the feed, writes ticks and tells who listens. Every process does the same;
 * the first insert of a second wins and everybody reads it back (rules §2).
 */
export function createMarket({ db, readsDb = db, clock, settings, log }: MarketDeps): Market {
  const feed = chosenFeed(settings)
  const baseUrl = feed === null ? '' : (feed === 'pyth' ? settings.pythUrl : settings.swissquoteUrl).replace(/\/+$/, '')
  const live = feed === null ? null : liveSource(feed, new URL(baseUrl).host)

  const stopped = new AbortController()
  const running = new Set<Promise<void>>()
  const listeners = new Set<(tick: Tick) => void>()
  const lastTicks = new Map<PriceSource, Tick>()
  /** The newest prices of each source, ascending: whoever read the database's time just before the newest came gets the one before. */
  const lastPrices = new Map<PriceSource, readonly LastPrice[]>()
  const counts = { quotes: 0, garbage: 0, failures: 0, ahead: 0, held: 0, missing: 0 }
  let feedState: FeedState = NO_QUOTES
  let loggedReason: FeedClosedReason | null = 'UNPRICED'
  let received: (SignedQuote & JudgedQuote)[] = []
  const evidence = new Map<number, SignedQuote>()
  let today: SimulatedDay | null = null
  let seedsThroughDay = 0

  const candles = createCandleStore(readsDb, (source) => lastTicks.get(source)?.second ?? null, stopped.signal)

  /** Work that goes on by itself, awaited by stop(). */
  function track(name: string, work: Promise<void>): void {
    const ended = work
      .catch((error: unknown) => log.error({ err: error }, `${name} ended unexpectedly`))
      .finally(() => running.delete(ended))
    running.add(ended)
  }

  function publish(tick: Tick): void {
    lastTicks.set(tick.source, tick)
    const earlier = (lastPrices.get(tick.source) ?? []).filter(({ second }) => second < tick.second)
    lastPrices.set(tick.source, earlier)
    if (tick.price !== null && tick.quoteAtMs !== null) {
      const last = { second: tick.second, price: tick.price, quoteAtMs: tick.quoteAtMs }
      lastPrices.set(tick.source, [...earlier.slice(-1), last])
    }
    if (tick.source === live) {
      feedState = withTick(feedState, tick)
      logClosing()
    }
    for (const listener of listeners) {
      try {
        listener(tick)
      } catch (error) {
        log.error({ err: error }, 'a listener to ticks failed')
      }
    }
  }

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
    if (reason === null) log.info({ source: live }, 'live rounds take bets')
    else log.warn({ source: live, reason }, 'live rounds take no bets')
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
    feedState = ticks.reduce(withTick, feedState)
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
    const quote = pricingQuote(received, second)
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
    if (!(await sleepUntil(clock, second * 1000 + TICK_MISSING_AFTER_MS, stopped.signal))) return null
    if (!clock.isSure()) return null
    await insertMissing(db, source, second, second)
    const row = await readRow(source, second)
    if (row?.price === null) counts.missing++
    return row
  }

  /**
   * Follows one source second by second, until the market stops.
   * @param afterMs how long after its second a tick is due
   */
  async function follow(
    source: PriceSource,
    fromSecond: number,
    afterMs: number,
    tickOf: (second: number) => Promise<Tick | null>,
  ): Promise<void> {
    let second = fromSecond
    while (!stopped.signal.aborted) {
      if (!clock.isSure()) {
        await pause(UNSURE_LOOK_MS, stopped.signal)
        continue
      }
      const lateMs = clock.now() - second * 1000 - afterMs
      if (lateMs < -LEAD_MAX_MS) {
        const next = Math.floor((clock.now() - afterMs) / 1000)
        log.warn({ source, secondsBack: second - next }, 'the clock was set back; ticks go on with the running second')
        second = next
      } else if (lateMs < 0) {
        await sleepUntil(clock, second * 1000 + afterMs, stopped.signal)
      } else if (lateMs > LAG_MAX_MS) {
        const next = Math.floor(clock.now() / 1000)
        log.warn({ source, skippedSeconds: next - second }, 'ticks were late; going on with the running second')
        if (isLive(source)) track('recovery', recover(source, second, next - 1))
        second = next
      } else {
        const tick = await attempt(source, second, () => tickOf(second))
        if (tick !== null) {
          publish(tick)
          if (isLive(source)) track('the candles', keepCandles(source, second))
        } else if (!isTimeFor(second)) continue
        second++
      }
    }
  }

  /** Whether a tick of this second may be written: not while the clock is unsure, nor after it was set back before it. */
  const isTimeFor = (second: number): boolean => clock.isSure() && clock.now() >= second * 1000 - CLOCK_MARGIN_MS

  /** Tries again while the second is young: the database may be away, or its clock a little behind ours. */
  async function attempt(source: PriceSource, second: number, work: () => Promise<Tick | null>): Promise<Tick | null> {
    for (let waitMs = RETRY_MS; !stopped.signal.aborted && isTimeFor(second); waitMs = Math.min(1000, waitMs * 2)) {
      let failure: unknown = null
      try {
        const tick = await work()
        if (tick !== null) return tick
      } catch (error) {
        failure = error
      }
      if (clock.now() - second * 1000 > LAG_MAX_MS) {
        log.error({ err: failure, source, second }, 'a tick could not be written')
        if (isLive(source)) track('recovery', recover(source, second, second))
        return null
      }
      await pause(waitMs, stopped.signal)
    }
    return null
  }

  /** Folds the candles that the tick of this second closes, so that no request has to. */
  async function keepCandles(source: PriceSource, second: number): Promise<void> {
    try {
      for (const minutes of CANDLE_MINUTES)
        if (candleOpening(second + 1, minutes) === second + 1)
          await candles.read(source, minutes, second + 1 - minutes * 60, second + 1)
    } catch (error) {
      if (!stopped.signal.aborted)
        log.warn({ err: error, source }, 'a candle could not be kept; it is folded when asked for')
    }
  }

  /** Missing ticks for the live seconds of a downtime, in batches that leave room for others. */
  async function recover(source: PriceSource, fromSecond: number, toSecond: number): Promise<void> {
    // The last of them may not be over yet, by the database's clock, which may be a little behind ours.
    const overAtMs = toSecond * 1000 + TICK_MISSING_AFTER_MS + CLOCK_MARGIN_MS
    if (!(await sleepUntil(clock, overAtMs, stopped.signal))) return
    try {
      for (let from = fromSecond; from <= toSecond && !stopped.signal.aborted; from += RECOVERY_BATCH_SECONDS) {
        while (!clock.isSure() && !stopped.signal.aborted) await pause(UNSURE_LOOK_MS, stopped.signal)
        await insertMissing(db, source, from, Math.min(toSecond, from + RECOVERY_BATCH_SECONDS - 1))
      }
    } catch (error) {
      log.warn({ err: error, source }, 'missing ticks could not be written; they are when a round asks for them')
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
      await pause(60_000, stopped.signal)
      if (stopped.signal.aborted) return
    }
  }

  async function warmCandles(nowSecond: number): Promise<void> {
    try {
      for (const source of live === null ? [SIMULATED] : [SIMULATED, live])
        await candles.read(source, 60, nowSecond - WARM_DAYS * DAY_SECONDS, nowSecond)
    } catch (error) {
      if (!stopped.signal.aborted) log.warn({ err: error }, 'candles could not be prepared; they are when asked for')
    }
  }

  /** Reads the live feed and says in the log when it is lost and when it is back, once each. */
  async function readFeed(): Promise<void> {
    let isHealthy: boolean | null = null
    const source = live
    const options = {
      baseUrl,
      signal: stopped.signal,
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
    await (feed === 'pyth' ? readPyth({ ...options, apiKey: settings.pythApiKey }) : readSwissquote(options))
  }

  async function start(): Promise<void> {
    await ensureSeeds(db)
    const second = Math.floor(clock.now() / 1000)
    const first = await attempt(SIMULATED, second, () => simulatedTick(second))
    if (first !== null) publish(first)
    const lastLive = live === null ? null : await recallTicks(live, second)
    track('the simulated feed', follow(SIMULATED, second + 1, 0, simulatedTick))
    if (live !== null) {
      const from = second + 1
      track('the price feed', readFeed())
      track(
        'the live ticks',
        follow(live, from, TICK_FINAL_AFTER_MS, (s) => liveTick(live, s)),
      )
      if (lastLive !== null)
        track('recovery', recover(live, Math.max(lastLive + 1, second - RECOVERY_MAX_SECONDS), from - 1))
    }
    track('the seeds', watchSeeds())
    track('the candles', warmCandles(second))
    log.info({ source: live ?? SIMULATED, label: sourceLabel(live ?? SIMULATED) }, 'the market is open')
  }

  const closedReason = (source: PriceSource): FeedClosedReason | null => {
    if (source === SIMULATED) return null
    return source === live ? liveClosedReason(feedState, clock.now()) : 'STALE'
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
    chooseSource: (opensAtMs, closesAtMs) => chooseSource(live, feedState, opensAtMs, closesAtMs, clock.now()),
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
    counters: () => ({ ...counts }),
  }
}

/** `auto` is pyth when there is a key for it, else the simulated feed alone (rules §5). */
function chosenFeed({ goldFeed, pythApiKey }: MarketSettings): LiveFeed | null {
  if (goldFeed === 'auto') return pythApiKey === null ? null : 'pyth'
  return goldFeed === 'simulated' ? null : goldFeed
}
