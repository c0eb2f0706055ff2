import { locksAtMs, type RoundType, STAFF_ACT_MIN_LEFT_MS, windowOf } from '#domain/game/calendar.ts'
import type { Database } from '#server/platform/db.ts'
import { newId } from '#server/platform/ids.ts'
import type { RoundPrices } from './ports.ts'

/** A row is written this long after its start at most, unless 10 s remain (rules §2). */
const ON_TIME_MS = 3_000

/**
 * Writes the row of the running window if it is missing: at its start, or late while at least 10 s remain. Every process
 * tries; the first insert wins. Answers the id when this call made it. Windows wholly within a downtime get none.
 * @param nowMs database time, Unix ms
 */
export async function openRound(
  db: Database,
  prices: RoundPrices,
  type: RoundType,
  nowMs: number,
): Promise<string | null> {
  const { index, opensAtMs, closesAtMs } = windowOf(type, nowMs)
  if (nowMs - opensAtMs > ON_TIME_MS && closesAtMs - nowMs < STAFF_ACT_MIN_LEFT_MS) return null
  const source = prices.chooseSource(opensAtMs, closesAtMs)
  const id = newId()
  const { rowCount } = await db.query(
    `insert into rounds (id, type, index, attempt, opens_at, locks_at, closes_at, price_source)
     values ($1, $2, $3, 0, $4, $5, $6, $7) on conflict (type, index, attempt) do nothing`,
    [
      id,
      type,
      BigInt(index),
      new Date(opensAtMs),
      new Date(locksAtMs(closesAtMs, prices.isLive(source))),
      new Date(closesAtMs),
      source,
    ],
  )
  return rowCount === 1 ? id : null
}
