import type { BankAccount } from '#contract/banks.ts'
import { badBankFields, type BankDetails } from '#domain/banks/bank.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { recordAct } from '#server/features/audit/index.ts'
import { actingOnce } from '#server/platform/http/acting.ts'
import type { Database } from '#server/platform/database/db.ts'
import { type RefusedBy, refuse } from '#server/platform/http/errors.ts'
import { refuseBank, tidyBank } from './add-bank.ts'
import { readBank } from './queries.ts'

export interface BanksDeps {
  readonly db: Database
  readonly hints: { accountChanged(userId: string): void }
}

/**
 * Corrects fields of any linked bank, by staff; the others stay as a colleague may have corrected them meanwhile.
 * Requests keep the bank that they were filed with.
 */
export async function editBank(
  { db, hints }: BanksDeps,
  subject: Subject,
  bankId: string,
  changes: { readonly [Field in keyof BankDetails]?: string | undefined },
): Promise<BankAccount | RefusedBy<'editBank'>> {
  if (subject.role !== 'admin') return refuse('BANK_EDIT_FORBIDDEN')
  return actingOnce(db, subject, 'staff:users', async (tx) => {
    await tx.query(`select 1 from banks where id = $1 for update`, [bankId])
    const before = await readBank(tx, bankId)
    if (before === null) return refuse('BANK_NOT_FOUND')
    const tidy = tidyBank({
      accountNumber: changes.accountNumber ?? before.accountNumber,
      accountHolder: changes.accountHolder ?? before.accountHolder,
      bankName: changes.bankName ?? before.bankName,
    })
    const bad = badBankFields(tidy)
    if (bad.length > 0) return refuseBank(bad)
    await tx.query(
      `update banks set account_number = $2, account_holder = $3, bank_name = $4, updated_at = clock_timestamp() where id = $1`,
      [bankId, tidy.accountNumber, tidy.accountHolder, tidy.bankName],
    )
    await recordAct(tx, {
      actor: subject.userId,
      act: 'bank.edit',
      target: `user:${before.ownerId}`,
      before: { accountNumber: before.accountNumber, accountHolder: before.accountHolder, bankName: before.bankName },
      after: { ...tidy },
    })
    tx.afterCommit(() => hints.accountChanged(before.ownerId))
    return { id: bankId, ownerId: before.ownerId, ...tidy }
  })
}
