import { isPassword, usernameKey } from '#domain/identity/credentials.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { lockSubject } from '#server/platform/auth.ts'
import { isRefused, type RefusedBy, refuse } from '#server/platform/errors.ts'
import { sql, statement } from '#server/platform/sql.ts'
import { deviceHashOf, forgetOtherDevices } from './known-devices.ts'
import { GIVE_BACK, type PasswordLimits } from './password-limits.ts'
import type { IdentityDeps } from './ports.ts'
import { endSessions } from './sessions.ts'

export interface PasswordChange {
  readonly username?: string
  readonly currentPassword: string
  readonly newPassword: string
  /** Secret of the current device, which stays known; the user's other devices are forgotten. */
  readonly deviceSecret?: string | undefined
}

const FIND_PASSWORD = statement(sql`select password_hash from users where id = ${'userId'}`)

const SET_PASSWORD = statement(
  sql`with ${GIVE_BACK}
      update users set password_hash = ${'newHash'}, must_change_password = false
       where id = ${'userId'} and password_hash = ${'passwordHash'}`,
)

/**
 * Changes the user's own password (rules §4). The current one must be right. Every other session ends, other devices
 * are no longer known, and the password no longer counts as set by staff.
 */
export async function changePassword(
  { db, hints }: Pick<IdentityDeps, 'db' | 'hints'>,
  limits: PasswordLimits,
  subject: Subject,
  { username, currentPassword, newPassword, deviceSecret }: PasswordChange,
  ip: string,
): Promise<RefusedBy<'changePassword'> | null> {
  if (username !== undefined && usernameKey(username) !== usernameKey(subject.username)) return refuse('FORBIDDEN')
  if (!isPassword(newPassword)) return refuse('PASSWORD_INVALID')

  // A stolen token must not allow unlimited password attempts, and attempts by outsiders must not delay the owner.
  const attempt = await limits.guard(
    { username: subject.username, ip, knownAs: `session ${subject.sessionId}` },
    FIND_PASSWORD({ userId: subject.userId }),
    async (hasher, row: { password_hash: string } | undefined) => {
      if (row === undefined || !(await hasher.verify(row.password_hash, currentPassword))) return null
      return { passwordHash: row.password_hash, newHash: await hasher.hash(newPassword) }
    },
  )
  if (attempt.is === 'wrong') return refuse('PASSWORD_WRONG')
  if (attempt.is === 'blocked') return refuse('LOGIN_BLOCKED', undefined, attempt.forS)

  const { passwordHash, newHash } = attempt.value
  return db.tx(async (tx) => {
    const current = await lockSubject(tx, subject, 'own-password')
    if (isRefused(current)) return current
    const changed = await tx.query(
      ...SET_PASSWORD({ userId: subject.userId, passwordHash, newHash, attemptId: attempt.attemptId }),
    )
    // The password was changed meanwhile; the verified one is no longer current.
    if (changed.rowCount === 0) return refuse('PASSWORD_WRONG')
    await endSessions(tx, subject.userId, 'password-changed', subject.sessionId)
    await forgetOtherDevices(tx, subject.userId, deviceHashOf(deviceSecret))
    tx.afterCommit(() => hints.accountChanged(subject.userId))
    return null
  })
}
