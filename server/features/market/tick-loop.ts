import { isLive, type PriceSource } from '#domain/market/sources.ts'
import { type Tick, TICK_MISSING_AFTER_MS } from '#domain/market/tick.ts'
import { type Clock, sleepUntil } from '#server/platform/process/clock.ts'
import type { Database } from '#server/platform/database/db.ts'
import type { Logger } from '#server/platform/process/log.ts'
import { pause } from './feed-reader.ts'
import { insertMissing } from './ticks.ts'

export interface TickLoopDeps {
  readonly db: Database
  readonly clock: Clock
  readonly log: Logger
  readonly signal: AbortSignal
  readonly track: (name: string, work: Promise<void>) => void
  readonly onTick: (tick: Tick) => void
}

/** A loop that lags by more than this skips to the present second. */
const LAG_MAX_MS = 5_000
/** A loop that is ahead by more than this returns to the present second: the clock was set back. */
const LEAD_MAX_MS = 2_000
const UNSURE_LOOK_MS = 50
const RETRY_MS = 20
const CLOCK_MARGIN_MS = 100
const RECOVERY_BATCH_SECONDS = 2_000

/** Creates the loop that writes one tick per second, also after steps of the clock and failures of the database. */
// oxlint-disable-next-line max-lines-per-function -- parts over one state (decision 036)
export function createTickLoop({ db, clock, log, signal, track, onTick }: TickLoopDeps) {
  /**
   * Follows one source second by second, until the signal aborts.
   * @param afterMs a second's tick is due this long after the second has begun
   * @param tickOf writes a second's tick or reads what another process wrote; returns null while the second has no row
   */
  async function follow(
    source: PriceSource,
    fromSecond: number,
    afterMs: number,
    tickOf: (second: number) => Promise<Tick | null>,
  ): Promise<void> {
    let second = fromSecond
    while (!signal.aborted) {
      if (!clock.isSure()) {
        await pause(UNSURE_LOOK_MS, signal)
        continue
      }
      const lateMs = clock.now() - second * 1000 - afterMs
      if (lateMs < -LEAD_MAX_MS) {
        const next = Math.floor((clock.now() - afterMs) / 1000)
        log.warn({ source, secondsBack: second - next }, 'the clock was set back; ticks go on with the running second')
        second = next
      } else if (lateMs < 0) {
        await sleepUntil(clock, second * 1000 + afterMs, signal)
      } else if (lateMs > LAG_MAX_MS) {
        const next = Math.floor(clock.now() / 1000)
        log.warn({ source, skippedSeconds: next - second }, 'ticks were late; going on with the running second')
        if (isLive(source)) track('recovery', recover(source, second, next - 1))
        second = next
      } else {
        const tick = await attempt(source, second, () => tickOf(second))
        if (tick !== null) {
          onTick(tick)
        } else if (!isTimeFor(second)) continue
        second++
      }
    }
  }

  /** Returns false while the clock is unsure, or if the clock was set back to a time before this second. */
  const isTimeFor = (second: number): boolean => clock.isSure() && clock.now() >= second * 1000 - CLOCK_MARGIN_MS

  async function attempt(source: PriceSource, second: number, work: () => Promise<Tick | null>): Promise<Tick | null> {
    for (let waitMs = RETRY_MS; !signal.aborted && isTimeFor(second); waitMs = Math.min(1000, waitMs * 2)) {
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
      await pause(waitMs, signal)
    }
    return null
  }

  /** Writes a tick without a price for each second without a row, in batches between which other statements can run. */
  async function recover(source: PriceSource, fromSecond: number, toSecond: number): Promise<void> {
    // The database's time decides when a tick counts as missing. `clock` may be slightly ahead of it: hence the margin.
    const overAtMs = toSecond * 1000 + TICK_MISSING_AFTER_MS + CLOCK_MARGIN_MS
    if (!(await sleepUntil(clock, overAtMs, signal))) return
    try {
      for (let from = fromSecond; from <= toSecond && !signal.aborted; from += RECOVERY_BATCH_SECONDS) {
        while (!clock.isSure() && !signal.aborted) await pause(UNSURE_LOOK_MS, signal)
        await insertMissing(db, source, from, Math.min(toSecond, from + RECOVERY_BATCH_SECONDS - 1))
      }
    } catch (error) {
      log.warn({ err: error, source }, 'missing ticks could not be written; they are when a round asks for them')
    }
  }

  return { follow, attempt, recover }
}
