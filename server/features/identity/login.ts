import type { BodyOf } from '#contract/endpoints.ts'
import { isUsername, usernameKey } from '#domain/identity/credentials.ts'
import type { Role } from '#domain/identity/permissions.ts'
import type { FactorStep } from '#contract/sign-in.ts'
import { beginProof } from '#server/features/factors/index.ts'
import { recordNewDevice } from '#server/features/notices/index.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { type RefusedBy, refuse } from '#server/platform/http/errors.ts'
import { sql, statement } from '#server/platform/database/sql.ts'
import { type Device, deviceOf, REMEMBER_DEVICE } from './known-devices.ts'
import { GIVE_BACK, giveBack, type PasswordLimits } from './password-limits.ts'
import { NOBODYS_HASH } from './passwords.ts'
import type { IdentityDeps, OpenedSession, Origin } from './ports.ts'
import { INSERT_SESSION, newSession } from './sessions.ts'

type UserRow = {
  readonly id: string
  readonly password_hash: string
  readonly must_change_password: boolean
  readonly role: Role
}

const FIND_USER = statement(
  sql`select id, password_hash, must_change_password, role from users
       where username_key = ${'key'} and deleted_at is null`,
  { name: 'sign-in-user' },
)

/** Opens a session, unless the user was deleted or got another password or role since the user was read. */
const OPEN_SESSION = statement(
  sql`with u as (
       update users set ip = ${'ip'}
        where id = ${'userId'} and password_hash = ${'passwordHash'} and role = ${'role'} and deleted_at is null
       returning id),
     ${GIVE_BACK},
     ${REMEMBER_DEVICE}
     ${INSERT_SESSION}`,
  { name: 'open-session' },
)

/**
 * Signs in. A wrong password, an unknown name and a deleted account get the same answer after the same time (rules
 * §4.7). A frozen account may sign in (rules §4.6). An admin who has a second factor gets a challenge for it instead of
 * a session, unless second factors are off (rules §4.10).
 */
export async function login(
  deps: Pick<IdentityDeps, 'db' | 'settings' | 'clock' | 'hints'>,
  limits: PasswordLimits,
  { username, password, deviceSecret }: BodyOf<'login'>,
  origin: Origin,
): Promise<OpenedSession | FactorStep | RefusedBy<'login'>> {
  const { db } = deps
  // A phone's keyboard may add a space when it completes a name.
  const name = username.trim()
  // Text that can't be a name is looked up as '', which no account has, so that the answer takes the same time.
  const key = isUsername(name) ? usernameKey(name) : ''
  const device = await deviceOf(db, key, deviceSecret)
  const knownAs = knownDevice(device)
  const attempt = await limits.guard(
    { username: name, ip: origin.ip, knownAs },
    FIND_USER({ key }),
    async (hasher, user: UserRow | undefined) => {
      const isRight = await hasher.verify(user?.password_hash ?? NOBODYS_HASH, password)
      return isRight && user !== undefined ? user : null
    },
  )
  if (attempt.is === 'wrong') return refuse('LOGIN_FAILED')
  if (attempt.is === 'blocked') return refuse('LOGIN_BLOCKED', undefined, attempt.forS)

  const { value: user, attemptId } = attempt
  if (user.role === 'admin') return openAdminSession(deps, user, device, attemptId, origin)
  const session = newSession(user.id, origin, device)
  const opened = await db.query(...OPEN_SESSION({ ...session.values, ...verified(user), attemptId }))
  return opened.rowCount === 0 ? refuse('LOGIN_FAILED') : sessionOf(session.token, user, device)
}

const verified = ({ id, password_hash: passwordHash, role }: UserRow) => ({ userId: id, passwordHash, role })

export const sessionOf = (
  accessToken: string,
  user: Pick<UserRow, 'must_change_password'>,
  device: Device,
): OpenedSession => ({
  accessToken,
  mustChangePassword: user.must_change_password,
  deviceSecret: device.secret,
})

/**
 * Opens an admin's session or, if a second factor is asked for, a challenge. This function and adding a factor both
 * lock the user's row, so a sign-in that began before the factor was added opens no session without the factor.
 */
function openAdminSession(
  deps: Pick<IdentityDeps, 'db' | 'settings' | 'clock' | 'hints'>,
  user: UserRow,
  device: Device,
  attemptId: string,
  origin: Origin,
): Promise<OpenedSession | FactorStep | RefusedBy<'login'>> {
  const mode = deps.settings.staffSecondFactor
  return deps.db.tx(async (tx) => {
    await tx.query(`select 1 from users where id = $1 for update`, [user.id])
    const { rows } = await tx.query<{ has_factor: boolean; has_devices: boolean }>(
      `select exists (select from staff_factors where user_id = $1) as has_factor,
              exists (select from known_devices where user_id = $1) as has_devices`,
      [user.id],
    )
    if (rows[0]?.has_factor === true && mode !== 'off') {
      const { id: userId, password_hash: passwordHash } = user
      const step = await beginProof(tx, deps, 'sign-in', { userId, sessionId: null, passwordHash })
      await giveBack(tx, attemptId)
      return step ?? refuse('LOGIN_FAILED')
    }
    const session = newSession(user.id, origin, device, { mustAddFactor: mode === 'required' })
    const opened = await tx.query(...OPEN_SESSION({ ...session.values, ...verified(user), attemptId }))
    if (opened.rowCount === 0) return refuse('LOGIN_FAILED')
    if (rows[0]?.has_devices === true && !device.isKnown)
      await notifyOfNewDevice(tx, deps, user.id, session.values.sessionId)
    return sessionOf(session.token, user, device)
  })
}

/** Returns the name under which a known device's attempts are counted; null for an unknown device. */
export const knownDevice = ({ isKnown, secretHash }: Device): string | null =>
  isKnown ? `device ${Buffer.from(secretHash).toString('hex')}` : null

export async function notifyOfNewDevice(
  tx: Tx,
  { hints }: Pick<IdentityDeps, 'hints'>,
  userId: string,
  sessionId: string,
): Promise<void> {
  await recordNewDevice(tx, userId, sessionId)
  tx.afterCommit(() => hints.noticesChanged(userId))
}
