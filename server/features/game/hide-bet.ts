import type { Subject } from '#domain/identity/permissions.ts'
import { recordAct } from '#server/features/audit/index.ts'
import { actingOnce } from '#server/platform/http/acting.ts'
import type { Database } from '#server/platform/database/db.ts'
import { refuse } from '#server/platform/http/errors.ts'

/** Hides a settled bet from staff's lists only (rules §1.3). Returns null if this or an earlier call has hidden it. */
export const hideBet = (db: Database, subject: Subject, betId: string) =>
  actingOnce(db, subject, 'staff:rounds', async (tx) => {
    const { rows } = await tx.query<{ user_id: string; status: string; hidden_at: Date | null }>(
      `select user_id, status, hidden_at from bets where id = $1 for update`,
      [betId],
    )
    const bet = rows[0]
    if (bet === undefined) return refuse('NOT_FOUND')
    if (bet.status === 'open') return refuse('BET_STILL_OPEN')
    if (bet.hidden_at !== null) return null
    await tx.query(`update bets set hidden_at = clock_timestamp() where id = $1`, [betId])
    await recordAct(tx, subject.userId, 'bet.hide', `bet:${betId}`, {
      before: { owner: bet.user_id, status: bet.status },
    })
    return null
  })
