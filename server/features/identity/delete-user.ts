import type { Subject } from '#domain/identity/permissions.ts'
import { recordAct } from '#server/features/audit/index.ts'
import { isRefused, type RefusedBy } from '#server/platform/errors.ts'
import { retrying } from '#server/platform/retrying.ts'
import { lockForGood } from './admins.ts'
import type { IdentityDeps } from './ports.ts'
import { endSessions } from './sessions.ts'

/**
 * Deletes a user (rules §4): the account can't sign in any more and leaves the lists. Its name stays taken; books and
 * history stay.
 */
export async function deleteUser(
  { db, hints }: Pick<IdentityDeps, 'db' | 'hints'>,
  subject: Subject,
  userId: string,
): Promise<RefusedBy<'deleteUser'> | null> {
  return retrying(db, async (tx) => {
    const row = await lockForGood(tx, subject, userId)
    if (isRefused(row)) return row
    await tx.query(
      `update users set deleted_at = clock_timestamp(), access_changed_at = clock_timestamp(),
          row_version = row_version + 1 where id = $1`,
      [userId],
    )
    await endSessions(tx, userId, 'deleted')
    await recordAct(tx, {
      actor: subject.userId,
      act: 'user.delete',
      target: `user:${userId}`,
      before: { username: row.username, role: row.role },
      after: null,
      reason: null,
    })
    tx.afterCommit(() => hints.accountChanged(userId))
    return null
  })
}
