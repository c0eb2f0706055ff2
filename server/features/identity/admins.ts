import type { Subject } from '#domain/identity/permissions.ts'
import { lockAccounts } from '#server/features/wallet/index.ts'
import { lockSubject } from '#server/platform/auth.ts'
import type { Queryable, Tx } from '#server/platform/db.ts'
import { isRefused, type RefusedBy, refuse } from '#server/platform/errors.ts'
import { sqlState } from '#server/platform/transaction.ts'
import { readUser, type UserRow } from './queries.ts'

/**
 * True when no other user is an active admin. Needed only for an admin's act on their own account: for an act on
 * another admin, the actor is an active admin whose row is locked, so one always remains.
 */
export async function isOnlyAdmin(db: Queryable, userId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `select 1 from users where role = 'admin' and not is_frozen and deleted_at is null and id <> $1 limit 1`,
    [userId],
  )
  return rowCount === 0
}

/** True when the database refused a username that was taken a moment earlier. */
export const isUsernameClash = (error: unknown): boolean =>
  sqlState(error) === '23505' && (error as { constraint?: unknown }).constraint === 'users_username_key_key'

/**
 * Locks a user for an act that ends the account in its present form, a new role or a delete. Refused on one's own
 * account, and while a bet is open or a request is pending (rules §4).
 */
export async function lockForGood(
  tx: Tx,
  subject: Subject,
  userId: string,
): Promise<UserRow | RefusedBy<'deleteUser'>> {
  const actor = await lockSubject(tx, subject, 'staff', [userId])
  if (isRefused(actor)) return actor
  // A transaction that places a bet or files a request holds these locks until it commits, so its result is seen below.
  await lockAccounts(tx, [userId])
  const row = await readUser(tx, userId)
  if (row === null) return refuse('NOT_FOUND')
  if (row.deleted_at !== null) return refuse('USER_DELETED')
  if (userId === subject.userId) return refuse((await isOnlyAdmin(tx, userId)) ? 'LAST_ADMIN' : 'NOT_YOURSELF')
  return (await hasOpenItems(tx, userId)) ? refuse('USER_HAS_OPEN_ITEMS') : row
}

/** True while a bet is open or a request is pending. The user's row and accounts must be locked. */
export async function hasOpenItems(tx: Tx, userId: string): Promise<boolean> {
  const { rows } = await tx.query<{ has_some: boolean }>(
    `select exists (select 1 from bets where user_id = $1 and status = 'open')
         or exists (select 1 from cash_requests where owner_id = $1 and status = 'pending') as has_some`,
    [userId],
  )
  return rows[0]?.has_some !== false
}
