import { type RoundType, STAFF_ACT_MIN_LEFT_MS, windowOf } from '#domain/game/calendar.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { lockTip, recordAct } from '#server/features/audit/index.ts'
import { queueAct } from '#server/features/book/index.ts'
import { lockSubject } from '#server/platform/http/auth.ts'
import type { Database } from '#server/platform/database/db.ts'
import { isRefused, type RefusedBy, refuse } from '#server/platform/http/errors.ts'
import { readNowMs } from '#server/platform/database/now.ts'
import type { GameHints, RoundPrices } from './ports.ts'
import { readWindowRound } from './queries.ts'
import { insertRound } from './round-entry.ts'
import { ROUND_COLUMNS, type RoundRow } from './rows.ts'

/**
 * Creates a round if the window has none, or if its last round was deleted. After a deleted round, the new round has
 * the same number and the next attempt, and covers the rest of the window (rules §2.9). Returns the new or the existing
 * round. Must not be called while the clock is unsure.
 * @param nowMs database time that selects the window, Unix ms
 */
export async function forceCreateRound(
  { db, prices, hints }: { db: Database; prices: RoundPrices; hints: GameHints },
  subject: Subject,
  type: RoundType,
  nowMs: number,
): Promise<RoundRow | RefusedBy<'forceCreateRound'>> {
  const window = windowOf(type, nowMs)
  const outcome = await db.tx(async (tx) => {
    const { rows } = await tx.query<RoundRow>(
      `select ${ROUND_COLUMNS} from rounds r where r.type = $1 and r.index = $2 order by r.attempt desc limit 1 for update`,
      [type, BigInt(window.index)],
    )
    const last = rows[0]
    if (last !== undefined && last.deleted_at === null) return 'there'
    const actor = await lockSubject(tx, subject, 'staff:rounds')
    if (isRefused(actor)) return actor
    await lockTip(tx)
    const lockedAtMs = await readNowMs(tx)
    // The window has not begun by the database's clock: the caller's clock is ahead (rules §2.1).
    if (lockedAtMs < window.opensAtMs) return refuse('CLOCK_UNSURE')
    if (window.closesAtMs - lockedAtMs < STAFF_ACT_MIN_LEFT_MS) return refuse('TOO_LATE_TO_CREATE')
    const attempt = last === undefined ? 0 : last.attempt + 1
    const source = prices.chooseSource(window.opensAtMs, window.closesAtMs)
    const { id, query } = insertRound({
      type,
      index: window.index,
      attempt,
      // A later attempt opens at the start of the present second. The tick of that second is the round's open price.
      opensAtMs: last === undefined ? window.opensAtMs : Math.floor(lockedAtMs / 1000) * 1000,
      closesAtMs: window.closesAtMs,
      source,
      isLive: prices.isLive(source),
    })
    const { rows: made } = await tx.query<{ is_made: boolean }>(...query)
    if (made[0]?.is_made !== true) return 'there'
    await queueAct(tx, 'round.force-create', subject.userId, { roundId: id })
    await recordAct(tx, subject.userId, 'round.force-create', `round:${id}`, {
      after: { type, roundNumber: window.roundNumber, attempt },
    })
    tx.afterCommit(() => hints.roundChanged(type))
    return 'made'
  })
  if (isRefused(outcome)) return outcome
  return (await readWindowRound(db, type, nowMs)) ?? refuse('ROUND_NOT_FOUND')
}
