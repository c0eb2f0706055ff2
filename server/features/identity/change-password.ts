import { isPassword, usernameKey } from '#domain/identity/credentials.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { lockSubject } from '#server/platform/auth.ts'
import { isRefused, type Refused, refuse } from '#server/platform/errors.ts'
import type { PasswordLimits } from './password-limits.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import type { IdentityDeps } from './ports.ts'
import { endSessions } from './sessions.ts'

export interface PasswordChange {
  readonly username?: string
  readonly currentPassword: string
  readonly newPassword: string
}

/**
 * Changes the own password: the current one must be right, every other session ends, and a password that staff had set
 * is no longer one (rules §4).
 */
export async function changePassword(
  { db, hints }: Pick<IdentityDeps, 'db' | 'hints'>,
  limits: PasswordLimits,
  subject: Subject,
  { username, currentPassword, newPassword }: PasswordChange,
  ip: string,
): Promise<Refused | null> {
  if (username !== undefined && usernameKey(username) !== usernameKey(subject.username)) return refuse('FORBIDDEN')
  if (!isPassword(newPassword)) return refuse('PASSWORD_INVALID')

  // The same allowance as for signing in: a stolen token is no way to try passwords for ever.
  const verified = await limits.guard(usernameKey(subject.username), ip, async () => {
    const { rows } = await db.query<{ password_hash: string }>('select password_hash from users where id = $1', [
      subject.userId,
    ])
    const passwordHash = rows[0]?.password_hash
    return passwordHash !== undefined && (await verifyPassword(passwordHash, currentPassword)) ? { passwordHash } : null
  })
  if (verified === null) return refuse('PASSWORD_WRONG')
  if ('blockedForS' in verified) return refuse('LOGIN_BLOCKED', undefined, verified.blockedForS)

  const newHash = await hashPassword(newPassword)
  return db.tx(async (tx) => {
    const current = await lockSubject(tx, subject, 'own-password')
    if (isRefused(current)) return current
    const changed = await tx.query(
      `update users set password_hash = $3, must_change_password = false where id = $1 and password_hash = $2`,
      [subject.userId, verified.passwordHash, newHash],
    )
    // Somebody else changed it first; what was verified is no longer the current one.
    if (changed.rowCount === 0) return refuse('PASSWORD_WRONG')
    await endSessions(tx, subject.userId, 'password-changed', subject.sessionId)
    tx.afterCommit(() => hints.accountChanged(subject.userId))
    return null
  })
}
