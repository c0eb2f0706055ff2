import type { Subject } from '#domain/identity/permissions.ts'
import { lockAccounts } from '#server/features/wallet/index.ts'
import { acting } from '#server/platform/http/acting.ts'
import { isRefused, type RefusedBy, refuse } from '#server/platform/http/errors.ts'
import { sql, statement } from '#server/platform/database/sql.ts'
import { hasOpenItems } from './admins.ts'
import { verifyOwnPassword } from './change-password.ts'
import { endAccount } from './end-account.ts'
import { GIVE_BACK, type PasswordLimits } from './password-limits.ts'
import type { IdentityDeps } from './ports.ts'

const IS_STILL_RIGHT = statement(
  sql`with ${GIVE_BACK}
      select 1 from users where id = ${'userId'} and password_hash = ${'passwordHash'}`,
)

/**
 * Closes the subject's own account with the password (rules §4.8). Wrong ones count like those of a sign-in. Staff
 * can't close theirs: another admin takes their role first.
 */
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
    const { passwordHash, attemptId } = verified
    const { rowCount } = await tx.query(...IS_STILL_RIGHT({ userId: subject.userId, passwordHash, attemptId }))
    if (rowCount === 0) return refuse('PASSWORD_WRONG')
    if (await hasOpenItems(tx, subject.userId)) return refuse('USER_HAS_OPEN_ITEMS')
    const { userId, username, role } = current
    await endAccount(tx, hints, { id: userId, username, role }, { actor: userId, act: 'user.close' })
    return null
  })
}
