import { type RoundType, STAFF_ACT_MIN_LEFT_MS, windowOf } from '#domain/game/calendar.ts'
import type { Database } from '#server/platform/database/db.ts'
import type { RoundPrices } from './ports.ts'
import { insertRound } from './round-entry.ts'

/** Within this time after its start a window gets its row in any case; later only while at least 10 s remain (rules §2). */
const ON_TIME_MS = 3_000

/**
 * `kept`: the window already has its row, or is too late to get one. `early`: the window has not begun by the
 * database's clock, and the caller tries again.
 */
export type Opening = 'made' | 'kept' | 'early'

/**
 * Writes the row of the running window if it is missing: at its start, or late while at least 10 s remain. Windows
 * wholly within a downtime get no row, and none is written before its window begins, because the caller may not have
 * noticed yet that the database's clock was set back. Don't call it while the clock is unsure (rules §2).
 * @param nowMs database time as the caller follows it, Unix ms
 */
export async function openRound(db: Database, prices: RoundPrices, type: RoundType, nowMs: number): Promise<Opening> {
  const { index, opensAtMs, closesAtMs } = windowOf(type, nowMs)
  if (nowMs - opensAtMs > ON_TIME_MS && closesAtMs - nowMs < STAFF_ACT_MIN_LEFT_MS) return 'kept'
  const source = prices.chooseSource(opensAtMs, closesAtMs)
  const isLive = prices.isLive(source)
  const { query } = insertRound({ type, index, attempt: 0, opensAtMs, closesAtMs, source, isLive })
  const { rows } = await db.query<{ has_begun: boolean; is_made: boolean }>(...query)
  const [row] = rows
  return row?.is_made === true ? 'made' : row?.has_begun === true ? 'kept' : 'early'
}
