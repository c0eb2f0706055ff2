import { DAY_SECONDS, simulatedPrice } from '#domain/market/simulated-path.ts'
import { type PriceSource, SIMULATED } from '#domain/market/sources.ts'
import { EVIDENCE_KEPT_SECONDS, type Tick, TICK_MISSING_AFTER_MS } from '#domain/market/tick.ts'
import { type Clock, sleepUntil } from '#server/platform/process/clock.ts'
import type { Database, Queryable } from '#server/platform/database/db.ts'
import type { LiveQuotes } from './live-quotes.ts'
import { dayOf, ensureSeeds, loadDay, type SimulatedDay } from './seeds.ts'
import { insertEvidence, insertLive, insertMissing, insertSimulated, readTicks, type SignedQuote } from './ticks.ts'

/** Calendar rounds begin and end at multiples of this many seconds, which divides all round lengths (spec §3.3). */
const BOUNDARY_SECONDS = 30

export interface TickWriterDeps {
  readonly db: Database
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly quotes: LiveQuotes | null
}

export function createTickWriter({ db, clock, signal, quotes }: TickWriterDeps) {
  const evidence = new Map<number, SignedQuote>()
  let today: SimulatedDay | null = null
  let missingTicks = 0

  async function readRow(source: PriceSource, second: number): Promise<Tick | null> {
    return (await readTicks(db, source, second, second))[0] ?? null
  }

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

  /**
   * Writes the price of a second at once if this process has a quote for it. Otherwise writes a tick without a price
   * 700 ms after the second began. Returns the row, which another process may have written first; null if there is no
   * row yet.
   */
  async function liveTick(source: PriceSource, second: number): Promise<Tick | null> {
    const quote = quotes?.pricing(second) ?? null
    if (quote !== null) {
      if (quote.evidence !== null) {
        for (const kept of evidence.keys()) if (kept <= second - EVIDENCE_KEPT_SECONDS) evidence.delete(kept)
        evidence.set(second, quote)
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

  return {
    simulatedTick,
    liveTick,
    async keepEvidence(q: Queryable, source: PriceSource, seconds: readonly number[]): Promise<void> {
      await Promise.all(
        seconds.map(async (second) => {
          const quote = evidence.get(second)
          if (quote !== undefined) await insertEvidence(q, source, second, quote)
        }),
      )
    },
    missing: () => missingTicks,
  }
}
