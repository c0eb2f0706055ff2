import type { BankAccount } from '#contract/banks.ts'
import type { Queryable, Row } from '#server/platform/db.ts'

interface BankRow extends Row {
  id: string
  owner_id: string
  account_number: string
  account_holder: string
  bank_name: string
}

const toBank = (row: BankRow): BankAccount => ({
  id: row.id,
  accountNumber: row.account_number,
  accountHolder: row.account_holder,
  bankName: row.bank_name,
  ownerId: row.owner_id,
})

const COLUMNS = `id, owner_id, account_number, account_holder, bank_name`

/** The linked banks of some owners, oldest first: the first one is the default of a request (rules §3). */
export async function listBanks(db: Queryable, ownerIds: readonly string[]): Promise<BankAccount[]> {
  const { rows } = await db.query<BankRow>(
    `select ${COLUMNS} from banks where owner_id = any($1::uuid[]) order by created_at, id`,
    [ownerIds],
  )
  return rows.map(toBank)
}

export async function readBank(db: Queryable, bankId: string): Promise<BankAccount | null> {
  const { rows } = await db.query<BankRow>(`select ${COLUMNS} from banks where id = $1`, [bankId])
  return rows[0] === undefined ? null : toBank(rows[0])
}
