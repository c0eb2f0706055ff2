import type { BodyOf } from '#contract/endpoints.ts'
import { isNameOfSystem, isPassword, isUsername, normalPassword, usernameKey } from '#domain/identity/credentials.ts'
import { welcomeTransfer } from '#domain/ledger/transfers.ts'
import { points } from '#domain/money.ts'
import { openAccounts, postTransfers } from '#server/features/wallet/index.ts'
import { isRefused, type RefusedBy, refuse } from '#server/platform/http/errors.ts'
import { newId } from '#server/platform/process/ids.ts'
import { addressKey } from '#server/platform/http/addresses.ts'
import type { Limit } from '#server/platform/http/token-bucket.ts'
import { sql, statement } from '#server/platform/database/sql.ts'
import { deviceOf, REMEMBER_DEVICE } from './known-devices.ts'
import { hashInTurn } from './passwords.ts'
import type { IdentityDeps, OpenedSession, Origin } from './ports.ts'
import { INSERT_SESSION, newSession } from './sessions.ts'

const OPEN_FIRST_SESSION = statement(
  sql`with u as (select ${'userId'}::uuid as id), ${REMEMBER_DEVICE} ${INSERT_SESSION}`,
)

/**
 * Registers a player (rules §4.4). An attempt counts against the limit of its address if all fields are valid. If the
 * referral code is secret, an attempt with a wrong code counts, too.
 */
export async function register(
  { db, settings }: Pick<IdentityDeps, 'db' | 'settings'>,
  perAddress: Limit,
  { username, password, passwordAgain, referralCode, deviceSecret }: BodyOf<'register'>,
  origin: Origin,
): Promise<OpenedSession | RefusedBy<'register'>> {
  if (!isUsername(username)) return refuse('USERNAME_INVALID')
  if (!isPassword(password)) return refuse('PASSWORD_INVALID')
  if (normalPassword(passwordAgain) !== normalPassword(password)) return refuse('PASSWORD_MISMATCH')
  const isCode = referralCode === settings.referralCode
  if (!isCode && settings.referralRequired === 'public') return refuse('REFERRAL_WRONG')
  const address = addressKey(origin.ip)
  const waitS = await perAddress.take(address)
  if (waitS !== null) return refuse('TOO_MANY_REQUESTS', undefined, waitS)
  // The attempt was counted above, since a secret code must not be tried without limit.
  if (!isCode) return refuse('REFERRAL_WRONG')

  const key = usernameKey(username)
  // The name is checked before the slow hashing. If two users register it at once, the unique key decides below.
  const taken = await db.query('select 1 from users where username_key = $1', [key])
  if (taken.rowCount > 0 || isNameOfSystem(username)) return refuse('USERNAME_TAKEN')
  const asker = { isKnown: false, address, account: key }
  const passwordHash = await hashInTurn(asker, password).catch(async (error: unknown) => {
    // The password queue refused this registration before its turn came, so it must not count.
    if (isRefused(error)) await perAddress.giveBack(address)
    throw error
  })
  const device = await deviceOf(db, key, deviceSecret)

  const userId = newId()
  const session = newSession(userId, origin, device)
  const isNew = await db.tx(async (tx) => {
    const { rows } = await tx.query<{ now_ms: number }>(
      `insert into users (id, username, username_key, password_hash, ip) values ($1, $2, $3, $4, $5)
       on conflict (username_key) do nothing
       returning floor(extract(epoch from created_at) * 1000)::float8 as now_ms`,
      [userId, username, key, passwordHash, origin.ip],
    )
    const user = rows[0]
    if (user === undefined) return false
    await openAccounts(tx, userId)
    if (settings.welcomePoints > 0)
      await postTransfers(tx, [welcomeTransfer(userId, points(settings.welcomePoints))], user.now_ms)
    await tx.commitWith(...OPEN_FIRST_SESSION({ ...session.values, userId }))
    return true
  })
  if (!isNew) return refuse('USERNAME_TAKEN')
  return { accessToken: session.token, mustChangePassword: false, deviceSecret: device.secret }
}
