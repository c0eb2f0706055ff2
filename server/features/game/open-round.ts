import { type RoundType, STAFF_ACT_MIN_LEFT_MS, windowOf } from '#domain/game/calendar.ts'
import type { Database } from '#server/platform/database/db.ts'
import type { RoundPrices } from './ports.ts'
import { insertRound } from './round-entry.ts'

/** Later than this after a window's start, its row is written only if at least 10 s remain (rules §2.2). */
const ON_TIME_MS = 3_000

/** `kept`: the window has a row, or it is too late for one. `early`: the window has not begun in database time. */
export type Opening = 'made' | 'kept' | 'early'

/**
 * Writes the row of the window around `nowMs`, if it is missing and not too late. The statement checks that the window
 * has begun by the database's clock, because the caller may not know yet that this clock was set back. Must not be
 * called while the clock is unsure (rules §2.1).
 * @param nowMs database time by the caller's clock, Unix ms
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
