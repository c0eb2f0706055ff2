import { type BankAccount, bankWireName } from '#contract/banks.ts'
import { refusals } from '#contract/refusals.ts'
import { badBankFields, type BankDetails, BANKS_PER_USER } from '#domain/banks/bank.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { actingOnce } from '#server/platform/http/acting.ts'
import type { Database } from '#server/platform/database/db.ts'
import { refuse, type Refused, type RefusedBy } from '#server/platform/http/errors.ts'
import { newId } from '#server/platform/process/ids.ts'
import { listBanks } from './queries.ts'

export const tidyBank = (details: BankDetails): BankDetails => ({
  accountNumber: details.accountNumber.replaceAll(/\s/g, ''),
  accountHolder: details.accountHolder.trim().replaceAll(/\s+/g, ' '),
  bankName: details.bankName.trim().replaceAll(/\s+/g, ' '),
})

export const refuseBank = (bad: ReadonlyArray<keyof BankDetails>): Refused<'BANK_INVALID'> =>
  refuse('BANK_INVALID', {
    fields: bad.map((field) => ({ path: bankWireName(field), message: refusals.BANK_INVALID.message })),
  })

/** Links a bank. The user's row is locked, so that racing requests can't exceed the limit of three (spec §5). */
export async function addBank(
  db: Database,
  subject: Subject,
  details: BankDetails,
): Promise<BankAccount | RefusedBy<'addBank'>> {
  if (subject.role === 'admin') return refuse('STAFF_CANNOT_PLAY')
  const tidy = tidyBank(details)
  const bad = badBankFields(tidy)
  if (bad.length > 0) return refuseBank(bad)
  return actingOnce(db, subject, 'player', async (tx) => {
    if ((await listBanks(tx, [subject.userId])).length >= BANKS_PER_USER) return refuse('BANK_LIMIT')
    const id = newId()
    await tx.query(
      `insert into banks (id, owner_id, account_number, account_holder, bank_name) values ($1, $2, $3, $4, $5)`,
      [id, subject.userId, tidy.accountNumber, tidy.accountHolder, tidy.bankName],
    )
    return { id, ownerId: subject.userId, ...tidy }
  })
}
