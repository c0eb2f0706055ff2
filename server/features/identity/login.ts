import { isUsername, USERNAME_MAX, usernameKey } from '#domain/identity/credentials.ts'
import { type Refused, refuse } from '#server/platform/errors.ts'
import type { PasswordLimits } from './password-limits.ts'
import { NOBODYS_HASH, verifyPassword } from './passwords.ts'
import type { IdentityDeps, OpenedSession, Origin } from './ports.ts'
import { insertSession, newSession } from './sessions.ts'

/**
 * Signs in. A wrong password, an unknown name and a deleted account get the same answer after the same time (rules §4).
 * A frozen account may sign in, to read that it is frozen.
 */
export async function login(
  { db }: Pick<IdentityDeps, 'db'>,
  limits: PasswordLimits,
  { username, password }: { readonly username: string; readonly password: string },
  origin: Origin,
): Promise<OpenedSession | Refused> {
  const key = usernameKey(username)
  const attempt = async (): Promise<OpenedSession | null> => {
    const { rows } = await db.query<{ id: string; password_hash: string; must_change_password: boolean }>(
      `select id, password_hash, must_change_password from users where username_key = $1 and deleted_at is null`,
      // What can't be a name is looked up all the same, as the empty one, which nobody has.
      [isUsername(username) ? key : ''],
    )
    const user = rows[0]
    const isRight = await verifyPassword(user?.password_hash ?? NOBODYS_HASH, password)
    if (user === undefined || !isRight) return null
    const session = newSession(user.id, origin)
    // The password that was verified must still stand: staff may have set another one meanwhile.
    const opened = await db.query(
      `with u as (update users set ip = $3 where id = $1 and password_hash = $2 and deleted_at is null returning id)
       ${insertSession('u', 4)}`,
      [user.id, user.password_hash, origin.ip, ...session.values],
    )
    if (opened.rowCount === 0) return null
    return { accessToken: session.token, mustChangePassword: user.must_change_password }
  }
  const outcome = await limits.guard(key.slice(0, USERNAME_MAX * 2), origin.ip, attempt)
  if (outcome === null) return refuse('LOGIN_FAILED')
  return 'blockedForS' in outcome ? refuse('LOGIN_BLOCKED', undefined, outcome.blockedForS) : outcome
}
