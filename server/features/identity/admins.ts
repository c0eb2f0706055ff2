import type { Capability, StaffAccess, Subject } from '#domain/identity/permissions.ts'
import { dropFactors } from '#server/features/factors/index.ts'
import { recordFactorChange } from '#server/features/notices/index.ts'
import { lockAccounts } from '#server/features/wallet/index.ts'
import { judgeParts, lockSubject } from '#server/platform/http/auth.ts'
import type { Queryable, Tx } from '#server/platform/database/db.ts'
import { isRefused, type RefusedBy, refuse } from '#server/platform/http/errors.ts'
import { sqlState } from '#server/platform/database/transaction.ts'
import { readUser, type UserRow } from './queries.ts'
import { endSessions } from './sessions.ts'

/** SQL condition: the user is an owner who can act. The last such owner must not be lost (rules §4.5). */
const IS_ACTIVE_OWNER = `role = 'admin' and 'owner' = any(capabilities) and not is_frozen and deleted_at is null`

/** Returns the owners who can act. `grantCapabilities` locks them all, so that two owners can't resign at once. */
export async function readOwnerIds(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(`select id from users where ${IS_ACTIVE_OWNER} order by id`)
  return rows.map(({ id }) => id)
}

/** Returns whether the user is the last owner who can act. Acts on others need no check: the acting owner remains. */
export async function isOnlyOwner(db: Queryable, userId: string): Promise<boolean> {
  const owners = await readOwnerIds(db)
  return owners.length === 1 && owners[0] === userId
}

export const isUsernameClash = (error: unknown): boolean =>
  sqlState(error) === '23505' && (error as { constraint?: unknown }).constraint === 'users_username_key_key'

/**
 * Locks a user and the user's ledger accounts for a change of role or a delete. Refuses the actor's own account, an
 * admin's account unless the actor is an owner, and an account with open bets or pending requests (rules §4.5, §4.6).
 */
export async function lockForGood(
  tx: Tx,
  subject: Subject,
  access: StaffAccess,
  userId: string,
): Promise<UserRow | RefusedBy<'deleteUser'>> {
  const actor = await lockSubject(tx, subject, access, [userId])
  if (isRefused(actor)) return actor
  await lockAccounts(tx, [userId])
  const row = await readUser(tx, userId)
  if (row === null) return refuse('NOT_FOUND')
  if (row.deletedAtMs !== null) return refuse('USER_DELETED')
  if (userId === subject.userId) return refuse((await isOnlyOwner(tx, userId)) ? 'LAST_OWNER' : 'NOT_YOURSELF')
  const missing = row.role === 'admin' ? judgeParts(['owner'], actor) : null
  if (missing !== null) return missing
  return (await hasOpenItems(tx, userId)) ? refuse('USER_HAS_OPEN_ITEMS') : row
}

/**
 * Removes an admin's second factors for somebody else, ends the admin's sessions and returns the number of factors. If
 * there were any, the admin's `money` counts as given now: otherwise who removed them could at once use the account as
 * the second person of their own proposals (rules §3.10). The caller has locked the admin's row.
 */
export async function dropFactorsOf(tx: Tx, userId: string): Promise<number> {
  const factors = await dropFactors(tx, userId)
  if (factors === 0) return 0
  await tx.query(`update users set money_since = clock_timestamp() where id = $1 and money_since is not null`, [userId])
  await recordFactorChange(tx, userId, 'reset', '')
  await endSessions(tx, userId, 'logout')
  return factors
}

/** Stores an admin's capabilities. The caller has locked the admin's row. */
export const writeCapabilities = (tx: Tx, userId: string, capabilities: readonly Capability[]) =>
  tx.query(
    `update users set capabilities = $2, row_version = row_version + 1, access_changed_at = clock_timestamp()
      where id = $1`,
    [userId, capabilities],
  )

/**
 * Returns whether the user has open bets or pending requests. The caller has locked the user and the ledger accounts,
 * so that no bet or request is added before the commit.
 */
export async function hasOpenItems(tx: Tx, userId: string): Promise<boolean> {
  const { rows } = await tx.query<{ has_some: boolean }>(
    `select exists (select 1 from bets where user_id = $1 and status = 'open')
         or exists (select 1 from cash_requests where owner_id = $1 and status = 'pending') as has_some`,
    [userId],
  )
  return rows[0]?.has_some !== false
}
