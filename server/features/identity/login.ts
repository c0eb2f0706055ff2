import { isUsername, usernameKey } from '#domain/identity/credentials.ts'
import type { Role } from '#domain/identity/permissions.ts'
import type { FactorStep } from '#contract/sign-in.ts'
import { beginProof } from '#server/features/factors/index.ts'
import { recordNewDevice } from '#server/features/notices/index.ts'
import type { Tx } from '#server/platform/db.ts'
import { type RefusedBy, refuse } from '#server/platform/errors.ts'
import { sql, statement } from '#server/platform/sql.ts'
import { type Device, deviceOf, REMEMBER_DEVICE } from './known-devices.ts'
import { GIVE_BACK, giveBack, type PasswordLimits } from './password-limits.ts'
import { NOBODYS_HASH } from './passwords.ts'
import type { IdentityDeps, OpenedSession, Origin } from './ports.ts'
import { INSERT_SESSION, newSession } from './sessions.ts'

export interface Credentials {
  readonly username: string
  readonly password: string
  /** The secret from an earlier sign-in on this device. */
  readonly deviceSecret?: string | undefined
}

type UserRow = {
  readonly id: string
  readonly password_hash: string
  readonly must_change_password: boolean
  readonly role: Role
  readonly has_factor: boolean
  readonly has_devices: boolean
}

const FIND_USER = statement(
  sql`select id, password_hash, must_change_password, role,
             role = 'admin' and exists (select from staff_factors f where f.user_id = users.id) as has_factor,
             role = 'admin' and exists (select from known_devices d where d.user_id = users.id) as has_devices
        from users where username_key = ${'key'} and deleted_at is null`,
  { name: 'sign-in-user' },
)

/** The verified password must still be the current one: staff may have set another meanwhile. */
const OPEN_SESSION = statement(
  sql`with u as (
       update users set ip = ${'ip'}
        where id = ${'userId'} and password_hash = ${'passwordHash'} and deleted_at is null returning id),
     ${GIVE_BACK},
     ${REMEMBER_DEVICE}
     ${INSERT_SESSION}`,
  { name: 'open-session' },
)

/**
 * Signs in. A wrong password, an unknown name and a deleted account get the same answer after the same time (rules §4).
 * A frozen account may sign in, so that its owner can read that it is frozen. An admin with a second factor gets the
 * next step instead of a session (rules §4.10).
 */
export async function login(
  deps: Pick<IdentityDeps, 'db' | 'settings' | 'clock' | 'hints'>,
  limits: PasswordLimits,
  { username, password, deviceSecret }: Credentials,
  origin: Origin,
): Promise<OpenedSession | FactorStep | RefusedBy<'login'>> {
  const { db, settings } = deps
  // Text that can't be a name is looked up too, as the empty name, which no account has.
  const key = isUsername(username) ? usernameKey(username) : ''
  const device = await deviceOf(db, key, deviceSecret)
  const knownAs = knownDevice(device)
  const attempt = await limits.guard(
    { username, ip: origin.ip, knownAs },
    FIND_USER({ key }),
    async (hasher, user: UserRow | undefined) => {
      const isRight = await hasher.verify(user?.password_hash ?? NOBODYS_HASH, password)
      return isRight && user !== undefined ? user : null
    },
  )
  if (attempt.is === 'wrong') return refuse('LOGIN_FAILED')
  if (attempt.is === 'blocked') return refuse('LOGIN_BLOCKED', undefined, attempt.forS)

  const user = attempt.value
  const { attemptId } = attempt
  if (user.has_factor && settings.staffSecondFactor !== 'off') {
    const step = await beginProof(db, deps, 'sign-in', {
      userId: user.id,
      sessionId: null,
      passwordHash: user.password_hash,
    })
    await giveBack(db, attemptId)
    return step ?? refuse('LOGIN_FAILED')
  }
  const mustAdd = user.role === 'admin' && settings.staffSecondFactor === 'required'
  const session = newSession(user.id, origin, { isProven: false, mustAdd })
  const open = OPEN_SESSION({
    ...session.values,
    userId: user.id,
    passwordHash: user.password_hash,
    attemptId,
    deviceHash: device.secretHash,
  })
  const isNews = user.has_devices && !device.isKnown
  const opened = isNews
    ? await db.tx(async (tx) => {
        const { rowCount } = await tx.query(...open)
        if (rowCount === 1) await tellOfNewDevice(tx, deps, user.id, session.values.sessionId)
        return { rowCount }
      })
    : await db.query(...open)
  if (opened.rowCount === 0) return refuse('LOGIN_FAILED')
  return {
    accessToken: session.token,
    mustChangePassword: user.must_change_password,
    deviceSecret: device.secret,
  }
}

/** How an attempt on this device is counted: a known one has a quota of its own. */
export const knownDevice = ({ isKnown, secretHash }: Device): string | null =>
  isKnown ? `device ${Buffer.from(secretHash).toString('hex')}` : null

/** Tells an admin of a sign-in on a device that the account was not used on, unless it is its first. */
export async function tellOfNewDevice(
  tx: Tx,
  { hints }: Pick<IdentityDeps, 'hints'>,
  userId: string,
  sessionId: string,
): Promise<void> {
  await recordNewDevice(tx, userId, sessionId)
  tx.afterCommit(() => hints.noticesChanged(userId))
}
