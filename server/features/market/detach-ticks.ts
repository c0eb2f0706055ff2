import { CANDLE_MINUTES } from '#domain/market/candles.ts'
import { DAY_SECONDS } from '#domain/market/simulated-path.ts'
import { SIMULATED } from '#domain/market/sources.ts'
import type { Database } from '#server/platform/database/db.ts'
import { foldStored, oldestSeconds } from './ticks.ts'

/**
 * Prepares the detaching of all ticks before a second: folds the ticks of live sources into candles, which show these
 * prices afterwards. Simulated prices can be computed from their seeds.
 * @returns null if the ticks may be detached, otherwise the reason why they must stay
 */
export async function prepareDetachingTicks(db: Database, untilSecond: number): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>(
    `select id from rounds where status <> 'ended' and opens_at < to_timestamp($1) order by opens_at limit 1`,
    [untilSecond],
  )
  if (rows[0] !== undefined) return `round ${rows[0].id} is not settled`
  for (const [source, oldest] of await oldestSeconds(db)) {
    if (source === SIMULATED) continue
    // A statement covers at most one day, so that other statements can run in between.
    for (let day = Math.floor(oldest / DAY_SECONDS) * DAY_SECONDS; day < untilSecond; day += DAY_SECONDS)
      for (const minutes of CANDLE_MINUTES)
        await foldStored(db, source, minutes, day, Math.min(day + DAY_SECONDS, untilSecond))
  }
  return null
}
