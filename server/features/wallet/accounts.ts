import type { AccountRef, UserAccountKind } from '#domain/ledger/accounts.ts'
import type { Row, Tx } from '#server/platform/database/db.ts'

export interface LockedAccount {
  readonly id: bigint
  readonly ownerId: string
  readonly kind: UserAccountKind
  readonly balanceMinor: bigint
  readonly transferCount: bigint
}

/**
 * Locks all accounts of these owners and reads them, owners in the order of their wallets' ids, as all commands do
 * (rules §3.9). Rounds, users and sessions must be locked before.
 */
export async function lockAccounts(tx: Tx, ownerIds: readonly string[]): Promise<LockedAccount[]> {
  const [, { rows }] = await Promise.all([tx.query(LOCK, [ownerIds], { name: 'lock-accounts' }), read(tx, ownerIds)])
  return rows
}

/** Like lockAccounts, without waiting: owners whose accounts are locked are left out. */
export async function lockFreeAccounts(tx: Tx, ownerIds: readonly string[]): Promise<LockedAccount[]> {
  const [locked, { rows }] = await Promise.all([
    tx.query<{ ownerId: string }>(`${LOCK} skip locked`, [ownerIds], { name: 'lock-free-accounts' }),
    read(tx, ownerIds),
  ])
  const owners = new Set(locked.rows.map(({ ownerId }) => ownerId))
  return rows.filter(({ ownerId }) => owners.has(ownerId))
}

/**
 * An owner's wallet is locked on behalf of all accounts of the owner, since PostgreSQL logs each lock of a row. No
 * account of a user is changed by anybody who does not hold this lock.
 */
const LOCK = `select owner_id as "ownerId" from ledger_accounts
  where owner_id = any($1::uuid[]) and kind = 'wallet' order by id for update`

/** A statement of its own: its snapshot is taken after the locks, and has what their last holders committed. */
const read = (tx: Tx, ownerIds: readonly string[]) =>
  tx.query<LockedAccount & Row>(
    `select id, owner_id as "ownerId", kind, balance as "balanceMinor", transfer_count as "transferCount"
       from ledger_accounts where owner_id = any($1::uuid[]) order by id`,
    [ownerIds],
    { name: 'read-accounts' },
  )

export async function openAccounts(tx: Tx, userId: string): Promise<void> {
  await tx.query(
    `insert into ledger_accounts (owner_id, kind) values ($1, 'wallet'), ($1, 'staked'), ($1, 'reserved')`,
    [userId],
  )
}

/** Ids of the system accounts, as migration 0002 inserts them. */
const SYSTEM_IDS = { house: 9000000000000000001n, cashier: 9000000000000000002n, grants: 9000000000000000003n } as const

export const systemAccountId = (ref: AccountRef & { ownerId: null }): bigint => SYSTEM_IDS[ref.kind]
