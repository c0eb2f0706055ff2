import { type BankAccount, bankWireName } from '#contract/banks.ts'
import { refusals } from '#contract/refusals.ts'
import { badBankFields, type BankDetails, BANKS_PER_USER } from '#domain/banks/bank.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { recordAct } from '#server/features/audit/index.ts'
import { actingOnce } from '#server/platform/http/acting.ts'
import type { Database } from '#server/platform/database/db.ts'
import { refuse, type Refused, type RefusedBy } from '#server/platform/http/errors.ts'
import { newId } from '#server/platform/process/ids.ts'
import { listBanks, readBank } from './queries.ts'

const tidyBank = (details: BankDetails): BankDetails => ({
  accountNumber: details.accountNumber.replaceAll(/\s/g, ''),
  accountHolder: details.accountHolder.trim().replaceAll(/\s+/g, ' '),
  bankName: details.bankName.trim().replaceAll(/\s+/g, ' '),
})

const refuseBank = (bad: ReadonlyArray<keyof BankDetails>): Refused<'BANK_INVALID'> =>
  refuse('BANK_INVALID', {
    fields: bad.map((field) => ({ path: bankWireName(field), message: refusals.BANK_INVALID.message })),
  })

/**
 * Links a bank. The user's row is locked, so simultaneous calls cannot exceed `BANKS_PER_USER` (spec §5.3). If the same
 * bank is linked already, returns it: a call is repeated if its answer was lost, and a player can't remove a duplicate.
 */
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
    const linked = await listBanks(tx, [subject.userId])
    const same = linked.find(
      ({ accountNumber, accountHolder, bankName }) =>
        accountNumber === tidy.accountNumber && accountHolder === tidy.accountHolder && bankName === tidy.bankName,
    )
    if (same !== undefined) return same
    if (linked.length >= BANKS_PER_USER) return refuse('BANK_LIMIT')
    const id = newId()
    await tx.query(
      `insert into banks (id, owner_id, account_number, account_holder, bank_name) values ($1, $2, $3, $4, $5)`,
      [id, subject.userId, tidy.accountNumber, tidy.accountHolder, tidy.bankName],
    )
    return { id, ownerId: subject.userId, ...tidy }
  })
}

export interface BanksDeps {
  readonly db: Database
  readonly hints: { accountChanged(userId: string): void }
}

/**
 * Corrects the given fields of a linked bank. Earlier cash requests keep their own copy of the bank's details. A call
 * may name the bank's owner (spec §7.4), but cannot change the owner.
 */
export async function editBank(
  { db, hints }: BanksDeps,
  subject: Subject,
  bankId: string,
  { ownerId, ...changes }: { readonly [Field in keyof BankDetails | 'ownerId']?: string | undefined },
): Promise<BankAccount | RefusedBy<'editBank'>> {
  if (subject.role !== 'admin') return refuse('BANK_EDIT_FORBIDDEN')
  return actingOnce(db, subject, 'staff:users', async (tx) => {
    await tx.query(`select 1 from banks where id = $1 for update`, [bankId])
    const before = await readBank(tx, bankId)
    if (before === null || (ownerId ?? before.ownerId) !== before.ownerId) return refuse('BANK_NOT_FOUND')
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
    await recordAct(tx, subject.userId, 'bank.edit', `user:${before.ownerId}`, {
      before: { accountNumber: before.accountNumber, accountHolder: before.accountHolder, bankName: before.bankName },
      after: { ...tidy },
    })
    tx.afterCommit(() => hints.accountChanged(before.ownerId))
    return { id: bankId, ownerId: before.ownerId, ...tidy }
  })
}
