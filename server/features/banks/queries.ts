import type { BankAccount } from '#contract/banks.ts'
import type { Queryable } from '#server/platform/database/db.ts'

const COLUMNS = `id, owner_id as "ownerId", account_number as "accountNumber", account_holder as "accountHolder",
  bank_name as "bankName"`

/** Returns the banks of these owners, oldest first: a cash request uses the oldest by default (rules §3.6). */
export async function listBanks(db: Queryable, ownerIds: readonly string[]): Promise<BankAccount[]> {
  const { rows } = await db.query<BankAccount>(
    `select ${COLUMNS} from banks where owner_id = any($1::uuid[]) order by created_at, id`,
    [ownerIds],
  )
  return rows
}

export async function readBank(db: Queryable, bankId: string): Promise<BankAccount | null> {
  const { rows } = await db.query<BankAccount>(`select ${COLUMNS} from banks where id = $1`, [bankId])
  return rows[0] ?? null
}
