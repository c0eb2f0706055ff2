import { lockTip, recordAct } from '#server/features/audit/index.ts'
import { queueAct } from '#server/features/book/index.ts'
import type { Clock } from '#server/platform/process/clock.ts'
import type { CloseBetsDeps } from './close-bets.ts'
import { hasBegunSql } from './queries.ts'
import type { RoundRow } from './rows.ts'

/**
 * Deletes a running round that begins in the future: it was written while the database's clock was ahead (rules §2.1).
 * While the clock is unsure, does nothing and returns false.
 */
export async function deleteBeyondCalendar(
  { db, hints, clock }: CloseBetsDeps & { readonly clock: Clock },
  roundId: string,
): Promise<boolean> {
  if (!clock.isSure()) return false
  return db.tx(async (tx) => {
    const { rows } = await tx.query<Pick<RoundRow, 'type' | 'status' | 'opens_at'>>(
      `select type, status, opens_at from rounds where id = $1 for update`,
      [roundId],
    )
    const round = rows[0]
    if (round === undefined) return true
    await lockTip(tx)
    const { rowCount } = await tx.query(
      `update rounds set deleted_at = clock_timestamp()
        where id = $1 and status = 'running' and deleted_at is null and not (${hasBegunSql('opens_at')})`,
      [roundId],
    )
    if (rowCount === 0) return true
    await queueAct(tx, 'round.delete', null, { roundId })
    await recordAct(tx, 'system', 'round.delete', `round:${roundId}`, {
      before: { status: round.status, opensAt: round.opens_at.toISOString() },
      reason: 'Phiên được tạo khi đồng hồ chạy nhanh, chưa đến giờ mở',
    })
    tx.afterCommit(() => hints.roundChanged(round.type))
    return true
  })
}
