import { randomInt } from 'node:crypto'
import { usernameKey } from '#domain/identity/credentials.ts'
import { CAPABILITIES } from '#domain/identity/permissions.ts'
import { openAccounts } from '#server/features/wallet/index.ts'
import type { Database } from '#server/platform/db.ts'
import { newId } from '#server/platform/ids.ts'
import { hashInTurn } from './passwords.ts'

/** The first administrator can't be created. The message is one line for the operator who starts the server. */
export class FirstAdminError extends Error {
  override readonly name = 'FirstAdminError'
}

/** Without letters and digits that look alike when copied by hand. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const GENERATED_CHARS = 20

/**
 * Creates the first administrator, with every capability, when there is none (rules §4). Staff don't play: there are no welcome points.
 * @returns the generated password, to be printed once; null when a password was set or an administrator exists
 */
export async function ensureFirstAdmin(
  db: Database,
  username: string,
  password: string | null,
): Promise<string | null> {
  const isMissing = async () => (await db.query(`select 1 from users where role = 'admin' limit 1`)).rowCount === 0
  if (!(await isMissing())) return null
  const generated =
    password === null
      ? Array.from({ length: GENERATED_CHARS }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
      : null
  const asker = { isKnown: true, address: 'first start', account: username }
  const passwordHash = await hashInTurn(asker, password ?? generated ?? '')
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
  // Another process that started at the same time may have created it.
  if (await isMissing())
    throw new FirstAdminError(`ADMIN_USERNAME: a player is already called ${username}; set another name`)
  return null
}
