import type { Role, Subject } from '#domain/identity/permissions.ts'
import { recordAct } from '#server/features/audit/index.ts'
import { dropFactors } from '#server/features/factors/index.ts'
import { lockAccounts } from '#server/features/wallet/index.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { acting } from '#server/platform/http/acting.ts'
import { isRefused, type RefusedBy, refuse } from '#server/platform/http/errors.ts'
import { retrying } from '#server/platform/process/retrying.ts'
import { hasOpenItems, lockForGood } from './admins.ts'
import { verifyOwnPassword } from './change-password.ts'
import type { PasswordLimits } from './password-limits.ts'
import type { AccountHints, IdentityDeps } from './ports.ts'
import { endSessions } from './sessions.ts'

/** Ends an account for good (rules §4.6, §4.8). The caller has locked the user and checked `hasOpenItems`. */
async function endAccount(
  tx: Tx,
  hints: AccountHints,
  user: { readonly id: string; readonly username: string; readonly role: Role },
  actor: string,
  act: 'user.delete' | 'user.close',
): Promise<void> {
  await tx.query(
    `update users set deleted_at = clock_timestamp(), access_changed_at = clock_timestamp(), ip = null,
        row_version = row_version + 1 where id = $1`,
    [user.id],
  )
  await endSessions(tx, user.id, 'deleted')
  await dropFactors(tx, user.id)
  await recordAct(tx, actor, act, `user:${user.id}`, { before: { username: user.username, role: user.role } })
  tx.afterCommit(() => hints.accountChanged(user.id))
}

/** Deletes an account, which then can't sign in (rules §4.6). The username stays taken, and the history stays. */
export const deleteUser = ({ db, hints }: Pick<IdentityDeps, 'db' | 'hints'>, subject: Subject, userId: string) =>
  retrying(db, async (tx) => {
    const row = await lockForGood(tx, subject, 'staff:users', userId)
    if (isRefused(row)) return row
    await endAccount(tx, hints, row, subject.userId, 'user.delete')
    return null
  })

/** Closes a player's own account. A wrong password counts as a failed attempt of this session (rules §4.8). */
export async function closeAccount(
  { db, hints }: Pick<IdentityDeps, 'db' | 'hints'>,
  limits: PasswordLimits,
  subject: Subject,
  password: string,
  ip: string,
): Promise<RefusedBy<'closeAccount'> | null> {
  if (subject.role === 'admin') return refuse('NOT_YOURSELF')
  const verified = await verifyOwnPassword(limits, subject, password, ip, async () => null)
  if (isRefused(verified)) return verified

  return acting(db, subject, 'player', async (tx, current) => {
    if (current.role === 'admin') return refuse('NOT_YOURSELF')
    await lockAccounts(tx, [subject.userId])
    const isStillRight = `select 1 from users where id = $1 and password_hash = $2`
    const { rowCount } = await tx.query(isStillRight, [subject.userId, verified.passwordHash])
    if (rowCount === 0) return refuse('PASSWORD_WRONG')
    if (await hasOpenItems(tx, subject.userId)) return refuse('USER_HAS_OPEN_ITEMS')
    const { userId, username, role } = current
    await endAccount(tx, hints, { id: userId, username, role }, userId, 'user.close')
    return null
  })
}
