import { isUsername, usernameKey } from '#domain/identity/credentials.ts'
import { type RefusedBy, refuse } from '#server/platform/errors.ts'
import { sql, statement } from '#server/platform/sql.ts'
import { deviceOf, REMEMBER_DEVICE } from './known-devices.ts'
import { GIVE_BACK, type PasswordLimits } from './password-limits.ts'
import { NOBODYS_HASH } from './passwords.ts'
import type { IdentityDeps, OpenedSession, Origin } from './ports.ts'
import { INSERT_SESSION, newSession } from './sessions.ts'

export interface Credentials {
  readonly username: string
  readonly password: string
  /** The secret from an earlier sign-in on this device. */
  readonly deviceSecret?: string | undefined
}

type UserRow = { readonly id: string; readonly password_hash: string; readonly must_change_password: boolean }

const FIND_USER = statement(
  sql`select id, password_hash, must_change_password from users where username_key = ${'key'} and deleted_at is null`,
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
 * A frozen account may sign in, so that its owner can read that it is frozen.
 */
export async function login(
  { db }: Pick<IdentityDeps, 'db'>,
  limits: PasswordLimits,
  { username, password, deviceSecret }: Credentials,
  origin: Origin,
): Promise<OpenedSession | RefusedBy<'login'>> {
  // Text that can't be a name is looked up too, as the empty name, which no account has.
  const key = isUsername(username) ? usernameKey(username) : ''
  const device = await deviceOf(db, key, deviceSecret)
  const knownAs = device.isKnown ? `device ${Buffer.from(device.secretHash).toString('hex')}` : null
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
  const session = newSession(user.id, origin)
  const opened = await db.query(
    ...OPEN_SESSION({
      ...session.values,
      userId: user.id,
      passwordHash: user.password_hash,
      attemptId: attempt.attemptId,
      deviceHash: device.secretHash,
    }),
  )
  if (opened.rowCount === 0) return refuse('LOGIN_FAILED')
  return {
    accessToken: session.token,
    mustChangePassword: user.must_change_password,
    deviceSecret: device.secret,
  }
}
