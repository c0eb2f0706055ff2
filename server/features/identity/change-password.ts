import type { BodyOf } from '#contract/endpoints.ts'
import type { RefusalCode } from '#contract/refusals.ts'
import { isPassword, normalPassword, usernameKey } from '#domain/identity/credentials.ts'
import type { Access, Admission, Subject } from '#domain/identity/permissions.ts'
import { claimOf, findRepeat, keepAnswer } from '#server/features/wallet/index.ts'
import { actingOnce } from '#server/platform/http/acting.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { isRefused, type Refused, type RefusedBy, refuse } from '#server/platform/http/errors.ts'
import { sql, statement } from '#server/platform/database/sql.ts'
import { deviceHashOf, forgetOtherDevices } from './known-devices.ts'
import type { PasswordLimits } from './password-limits.ts'
import type { Hasher } from './passwords.ts'
import type { IdentityDeps } from './ports.ts'
import { endSessions } from './sessions.ts'

type PasswordChange = BodyOf<'changePassword'>

const FIND_PASSWORD = statement(sql`select password_hash from users where id = ${'userId'}`)

const SET_PASSWORD = statement(
  sql`update users set password_hash = ${'newHash'}, must_change_password = false
       where id = ${'userId'} and password_hash = ${'passwordHash'}`,
)

/** A change whose `currentPassword` was right. It is written only if `passwordHash` is still the stored hash. */
export interface VerifiedChange {
  readonly passwordHash: string
  readonly newHash: string
}

/**
 * Checks the user's own password, and counts a wrong one for this session. If the password is right, `beside` runs in
 * the same turn of the password queue.
 */
export async function verifyOwnPassword<T>(
  limits: PasswordLimits,
  { userId, username, sessionId }: Subject,
  password: string,
  ip: string,
  beside: (hasher: Hasher) => Promise<T>,
): Promise<{ readonly passwordHash: string; readonly besides: T } | Refused<'PASSWORD_WRONG' | 'LOGIN_BLOCKED'>> {
  // Attempts are counted by session. A stolen token allows only a few, and failures elsewhere don't block this session.
  const attempt = await limits.guard(
    { username, ip, knownAs: `session ${sessionId}` },
    FIND_PASSWORD({ userId }),
    async (hasher, row: { password_hash: string } | undefined) => {
      if (row === undefined || !(await hasher.verify(row.password_hash, password))) return null
      return { passwordHash: row.password_hash, besides: await beside(hasher) }
    },
  )
  if (attempt.is === 'wrong') return refuse('PASSWORD_WRONG')
  if (attempt.is === 'blocked') return refuse('LOGIN_BLOCKED', undefined, attempt.forS)
  // The attempt stops counting as failed now, not in the transaction of the caller's act: a right password is no
  // failure, even if the act is refused later.
  await limits.giveBack(attempt.attemptId)
  return attempt.value
}

async function verifyChange(
  limits: PasswordLimits,
  subject: Subject,
  { currentPassword, newPassword }: Pick<PasswordChange, 'currentPassword' | 'newPassword'>,
  ip: string,
): Promise<VerifiedChange | Refused<'PASSWORD_INVALID' | 'PASSWORD_SAME' | 'PASSWORD_WRONG' | 'LOGIN_BLOCKED'>> {
  if (!isPassword(newPassword)) return refuse('PASSWORD_INVALID')
  // The new password must differ, because somebody else may know the old one: staff who set it, or a stranger who
  // signed in and added a second factor (rules §4.2).
  if (normalPassword(newPassword) === normalPassword(currentPassword)) return refuse('PASSWORD_SAME')
  const hashNew = (hasher: Hasher) => hasher.hash(newPassword)
  const verified = await verifyOwnPassword(limits, subject, currentPassword, ip, hashNew)
  return isRefused(verified) ? verified : { ...verified, newHash: verified.besides }
}

/**
 * Writes the new password, ends every other session and forgets the other devices. Returns false and changes nothing if
 * the verified password is no longer the current one. The caller has locked the user's row.
 */
export async function replacePassword(
  tx: Tx,
  { hints }: Pick<IdentityDeps, 'hints'>,
  { userId, sessionId }: Subject,
  change: VerifiedChange,
  keptDevice: Uint8Array | null,
): Promise<boolean> {
  const changed = await tx.query(...SET_PASSWORD({ userId, ...change }))
  if (changed.rowCount === 0) return false
  await endSessions(tx, userId, 'password-changed', sessionId)
  await forgetOtherDevices(tx, userId, keptDevice)
  tx.afterCommit(() => hints.accountChanged(userId))
  return true
}

/** A password to be set by the account's own user. */
export interface OwnChange {
  readonly change: Pick<PasswordChange, 'currentPassword' | 'newPassword'>
  readonly ip: string
  /** The Idempotency-Key, or null. */
  readonly key: string | null
}

/**
 * Checks `currentPassword`, then sets the new password by `write`, once for each key. For a repeat `currentPassword` is
 * no longer right, and counts as a failure, but the answer is the first one. The passwords are not part of the claim,
 * since its hash is stored: so what `write` can do is always done.
 */
export async function changeOnce<Code extends RefusalCode>(
  { db }: Pick<IdentityDeps, 'db'>,
  limits: PasswordLimits,
  subject: Subject,
  { route, access, change, ip, key }: OwnChange & { readonly route: string; readonly access: Admission | Access },
  write: (tx: Tx, verified: VerifiedChange) => Promise<Refused<Code> | null>,
) {
  const verified = await verifyChange(limits, subject, change, ip)
  if (isRefused(verified) && (key === null || verified.code !== 'PASSWORD_WRONG')) return verified
  const claim = key === null ? null : claimOf(key, {})
  return actingOnce(db, subject, access, async (tx) => {
    const repeat = await findRepeat(tx, route, subject.userId, claim)
    const refused = isRefused(verified) ? verified : await write(tx, verified)
    if (repeat.is === 'repeated') return null
    if (refused === null) await keepAnswer(tx, route, subject.userId, claim, 'null')
    return refused
  })
}

/** Changes the user's own password. The new password does not count as set by staff (rules §4.2). */
export async function changePassword(
  deps: Pick<IdentityDeps, 'db' | 'hints'>,
  limits: PasswordLimits,
  subject: Subject,
  { username, deviceSecret, ...change }: PasswordChange,
  ip: string,
  key: string | null,
): Promise<RefusedBy<'changePassword'> | null> {
  if (username !== undefined && usernameKey(username) !== usernameKey(subject.username)) return refuse('FORBIDDEN')
  const asked = { route: 'change-password', access: 'own-password', change, ip, key } as const
  return changeOnce(deps, limits, subject, asked, async (tx, verified) => {
    const isDone = await replacePassword(tx, deps, subject, verified, deviceHashOf(deviceSecret))
    return isDone ? null : refuse('PASSWORD_WRONG')
  })
}
