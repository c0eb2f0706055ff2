import type { StaffUser } from '#contract/staff-users.ts'
import type { Role, Subject } from '#domain/identity/permissions.ts'
import { recordAct } from '#server/features/audit/index.ts'
import { dropFactors } from '#server/features/factors/index.ts'
import { isRefused, type RefusedBy, refuse } from '#server/platform/http/errors.ts'
import { retrying } from '#server/platform/process/retrying.ts'
import { lockForGood } from './admins.ts'
import type { IdentityDeps } from './ports.ts'
import { readUser, toStaffUser } from './queries.ts'
import { endSessions } from './sessions.ts'

/** Makes a player an admin, who then may only read, or an admin a player; all their sessions end (rules §4). */
export async function setRole(
  { db, hints }: Pick<IdentityDeps, 'db' | 'hints'>,
  subject: Subject,
  userId: string,
  role: Role,
  version: string,
): Promise<StaffUser | RefusedBy<'setRole'>> {
  return retrying(db, async (tx) => {
    const row = await lockForGood(tx, subject, 'staff:owner', userId)
    if (isRefused(row)) return row
    if (row.role === role) return toStaffUser(row, subject)
    if (BigInt(version.split('.')[0] ?? '') !== row.rowVersion) return refuse('STALE')
    await tx.query(
      `update users set role = $2, capabilities = '{}', row_version = row_version + 1, access_changed_at = clock_timestamp() where id = $1`,
      [userId, role],
    )
    await endSessions(tx, userId, 'role-changed')
    // A player has no second factor: a player who becomes an admin again has to add one again.
    await dropFactors(tx, userId)
    const after = await readUser(tx, userId)
    if (after === null) throw new Error('The user is gone while locked')
    await recordAct(tx, {
      actor: subject.userId,
      act: 'user.set-role',
      target: `user:${userId}`,
      before: { role: row.role },
      after: { role },
    })
    tx.afterCommit(() => hints.accountChanged(userId))
    return toStaffUser(after, subject)
  })
}
