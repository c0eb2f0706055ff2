import { randomInt } from 'node:crypto'
import { usernameKey } from '#domain/identity/credentials.ts'
import { CAPABILITIES } from '#domain/identity/permissions.ts'
import { openAccounts } from '#server/features/wallet/index.ts'
import type { Database } from '#server/platform/database/db.ts'
import { newId } from '#server/platform/process/ids.ts'
import { hashInTurn, inPasswordTurn } from './passwords.ts'

export class FirstAdminError extends Error {
  override readonly name = 'FirstAdminError'
}

/** Letters and digits without look-alikes such as 0 and O. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const GENERATED_CHARS = 20

export const generatePassword = (): string =>
  Array.from({ length: GENERATED_CHARS }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

/**
 * Creates an administrator with every capability if no administrator exists (rules §4.5).
 * @returns the generated password, to be printed once; null if `password` was given or an administrator exists
 */
export async function ensureFirstAdmin(
  db: Database,
  username: string,
  password: string | null,
): Promise<string | null> {
  const isMissing = async () => (await db.query(`select 1 from users where role = 'admin' limit 1`)).rowCount === 0
  if (!(await isMissing())) return null
  const generated = password === null ? generatePassword() : null
  const passwordHash = await hashInTurn(askerOf(username), password ?? generated ?? '')
  const userId = newId()
  const isMade = await db.tx(async (tx) => {
    const made = await tx.query(
      `insert into users (id, username, username_key, password_hash, role, capabilities)
       values ($1, $2, $3, $4, 'admin', $5)
       on conflict (username_key) do nothing`,
      [userId, username, usernameKey(username), passwordHash, CAPABILITIES],
    )
    if (made.rowCount === 0) return false
    await openAccounts(tx, userId)
    return true
  })
  if (isMade) return generated
  // The name is taken: by an administrator that another process has just created, or by a player.
  if (await isMissing())
    throw new FirstAdminError(`ADMIN_USERNAME: a player is already called ${username}; set another name`)
  return null
}

/** Returns true if no admin has this name and password, for example after the admin has changed the password. */
export async function isAdminPasswordUnused(db: Database, username: string, password: string): Promise<boolean> {
  const { rows } = await db.query<{ password_hash: string }>(
    `select password_hash from users where username_key = $1 and role = 'admin' and deleted_at is null`,
    [usernameKey(username)],
  )
  const [admin] = rows
  return (
    admin === undefined ||
    !(await inPasswordTurn(askerOf(username), (hasher) => hasher.verify(admin.password_hash, password)))
  )
}

const askerOf = (account: string) => ({ isKnown: true, address: 'first start', account })
