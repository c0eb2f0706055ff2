import { decideDeleteRound } from '#domain/game/round.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { recordAct } from '#server/features/audit/index.ts'
import { queueAct } from '#server/features/book/index.ts'
import { isRefused, type RefusedBy, refuse } from '#server/platform/http/errors.ts'
import { isDatabaseAway } from '#server/platform/database/transaction.ts'
import type { CloseBetsDeps } from './close-bets.ts'
import { lockRound } from './lock-round.ts'
import { settleRound } from './settle-round.ts'

/**
 * Deletes a running round that has at least 10 s left, and voids its bets at once (rules §2.9). An ended round is only
 * hidden from staff's lists (rules §1.3). Returns null when done.
 */
export async function deleteRound(
  deps: CloseBetsDeps,
  subject: Subject,
  roundId: string,
): Promise<RefusedBy<'deleteRound'> | null> {
  const outcome = await deps.db.tx(async (tx) => {
    const locked = await lockRound(tx, subject, roundId)
    if (isRefused(locked)) return locked
    const { round, staff, nowMs } = locked
    const decision = decideDeleteRound(staff, nowMs)
    if (!decision.ok) return refuse(decision.refusal)
    if (round === null) return refuse('ROUND_NOT_FOUND')
    const { rowCount } = await tx.query(
      decision.act === 'void'
        ? `update rounds set deleted_at = $2, deleted_by = $3 where id = $1`
        : `update rounds set hidden_at = $2, deleted_by = coalesce(deleted_by, $3) where id = $1 and hidden_at is null`,
      [roundId, new Date(nowMs), subject.userId],
    )
    if (rowCount === 0) return null
    if (decision.act === 'void') await queueAct(tx, 'round.delete', subject.userId, { roundId, atMs: nowMs })
    await recordAct(tx, subject.userId, decision.act === 'void' ? 'round.delete' : 'round.hide', `round:${roundId}`, {
      before: { status: round.status },
    })
    tx.afterCommit(() => deps.hints.roundChanged(round.type))
    return decision.act
  })
  if (outcome === null || isRefused(outcome)) return outcome
  // If an account is locked or the database can't be reached, the error is ignored: every process retries each second.
  if (outcome === 'void')
    await settleRound(deps, roundId).catch((error: unknown) => {
      if (!isDatabaseAway(error)) throw error
    })
  return null
}
