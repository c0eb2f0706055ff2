import type { Subject } from '#domain/identity/permissions.ts'
import { isRefused, type RefusedBy } from '#server/platform/http/errors.ts'
import { retrying } from '#server/platform/process/retrying.ts'
import { lockForGood } from './admins.ts'
import { endAccount } from './end-account.ts'
import type { IdentityDeps } from './ports.ts'

/** The account can't sign in any more and leaves the lists (rules §4). Its name stays taken; books and history stay. */
export async function deleteUser(
  { db, hints }: Pick<IdentityDeps, 'db' | 'hints'>,
  subject: Subject,
  userId: string,
): Promise<RefusedBy<'deleteUser'> | null> {
  return retrying(db, async (tx) => {
    const row = await lockForGood(tx, subject, 'staff:users', userId)
    if (isRefused(row)) return row
    await endAccount(tx, hints, row, { actor: subject.userId, act: 'user.delete' })
    return null
  })
}
