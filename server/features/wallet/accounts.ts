import { type AccountRef, USER_ACCOUNT_KINDS, type UserAccountKind } from '#domain/ledger/accounts.ts'
import type { Row, Tx } from '#server/platform/database/db.ts'

export interface LockedAccount {
  readonly id: bigint
  readonly ownerId: string
  readonly kind: UserAccountKind
  readonly balanceMinor: bigint
  readonly transferCount: bigint
}

/** Locks the owners' accounts in the order of ids. Locks on rounds, users and sessions must come first (rules §3.9). */
export async function lockAccounts(tx: Tx, ownerIds: readonly string[]): Promise<LockedAccount[]> {
  const { rows } = await tx.query<LockedAccount & Row>(LOCK, [ownerIds], { name: 'lock-accounts' })
  return rows
}

/** Like lockAccounts, but without waiting: leaves out each owner with an account that another transaction locks. */
export async function lockFreeAccounts(tx: Tx, ownerIds: readonly string[]): Promise<LockedAccount[]> {
  const { rows } = await tx.query<LockedAccount & Row>(`${LOCK} skip locked`, [ownerIds], {
    name: 'lock-free-accounts',
  })
  const found = new Map<string, number>()
  for (const { ownerId } of rows) found.set(ownerId, (found.get(ownerId) ?? 0) + 1)
  return rows.filter(({ ownerId }) => found.get(ownerId) === USER_ACCOUNT_KINDS.length)
}

const LOCK = `select id, owner_id as "ownerId", kind, balance as "balanceMinor", transfer_count as "transferCount"
  from ledger_accounts where owner_id = any($1::uuid[]) order by id for update`

export async function openAccounts(tx: Tx, userId: string): Promise<void> {
  await tx.query(
    `insert into ledger_accounts (owner_id, kind) values ($1, 'wallet'), ($1, 'staked'), ($1, 'reserved')`,
    [userId],
  )
}

/** Ids of the system accounts, as migration 0002 inserts them. */
const SYSTEM_IDS = { house: 9000000000000000001n, cashier: 9000000000000000002n, grants: 9000000000000000003n } as const

export const systemAccountId = (ref: AccountRef & { ownerId: null }): bigint => SYSTEM_IDS[ref.kind]
