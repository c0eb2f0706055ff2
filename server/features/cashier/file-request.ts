import type { CashRequest } from '#contract/cashier.ts'
import { decideFiling, type RequestKind } from '#domain/cashier/request.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import type { UserAccountKind } from '#domain/ledger/accounts.ts'
import { holdTransfer } from '#domain/ledger/transfers.ts'
import type { Minor } from '#domain/money.ts'
import { listBanks } from '#server/features/banks/index.ts'
import {
  findRepeat,
  type IdempotencyClaim,
  keepAnswer,
  lockAccounts,
  postTransfers,
} from '#server/features/wallet/index.ts'
import { lockSubject } from '#server/platform/http/auth.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { isRefused, type RefusedBy, refuse } from '#server/platform/http/errors.ts'
import { newId } from '#server/platform/process/ids.ts'
import { retrying } from '#server/platform/process/retrying.ts'
import { sql, statement } from '#server/platform/database/sql.ts'
import type { CashierDeps } from './ports.ts'
import { readFilings, readRequest } from './queries.ts'

export interface Filing {
  readonly kind: RequestKind
  readonly amountMinor: Minor
  readonly memo: string | null
  readonly withdrawalNote: string | null
  /** Null selects the first linked bank (rules §3.6). */
  readonly bankId: string | null
}

const ROUTE = 'file-request'

const INSERT =
  statement(sql`insert into cash_requests (id, owner_id, kind, amount, deposit_memo, withdrawal_note, bank_id,
    account_number, account_holder, bank_name, created_at)
  values (${'id'}, ${'ownerId'}, ${'kind'}, ${'amount'}, ${'depositMemo'}, ${'withdrawalNote'}, ${'bankId'},
    ${'accountNumber'}, ${'accountHolder'}, ${'bankName'}, ${'filedAt'})`)

/**
 * Files a request, and reserves a withdrawal's points (rules §3.6). If the database's answer to COMMIT was lost, the
 * next attempt finds the JSON text that the previous one stored (rules §3.5).
 * @param encode returns a request's JSON text, in the API's field names; repeats with the same key get this text
 */
export async function fileRequest(
  { db, hints }: CashierDeps,
  subject: Subject,
  filing: Filing,
  claim: IdempotencyClaim,
  encode: (request: CashRequest) => string,
): Promise<string | RefusedBy<'fileRequest'>> {
  const id = newId()
  const file = async (tx: Tx, attempt: number): Promise<string | RefusedBy<'fileRequest'>> => {
    const actor = await lockSubject(tx, subject, 'player')
    if (isRefused(actor)) return actor
    const accounts = await lockAccounts(tx, [subject.userId])
    const repeat = await findRepeat(tx, ROUTE, subject.userId, claim)
    if (repeat.is === 'reused') return refuse('KEY_REUSED')
    const balanceOf = (wanted: UserAccountKind) => accounts.find(({ kind }) => kind === wanted)?.balanceMinor ?? 0n
    const walletMinor = balanceOf('wallet')
    if (repeat.is === 'repeated') {
      // In a retry, the answer to the previous attempt's COMMIT was lost, so the previous attempt sent no hints.
      if (attempt > 1)
        tx.afterCommit(() => {
          hints.requestChanged(id)
          hints.balanceChanged(subject.userId, walletMinor)
        })
      return repeat.json
    }
    const [banks, soFar] = await Promise.all([listBanks(tx, [subject.userId]), readFilings(tx, subject.userId)])
    const bank = filing.bankId === null ? banks[0] : banks.find((linked) => linked.id === filing.bankId)
    const refusal = decideFiling({
      kind: filing.kind,
      amountMinor: filing.amountMinor,
      walletMinor,
      soFar: { ...soFar, stakedAndReservedMinor: balanceOf('staked') + balanceOf('reserved') },
      isStaff: actor.role === 'admin',
      bank: bank !== undefined ? 'linked' : banks.length === 0 ? 'none' : 'unknown',
    })
    const { now, nextFilingAtMs } = soFar
    if (refusal === 'TOO_MANY_FILINGS')
      return refuse(refusal, undefined, Math.max(1, Math.ceil((nextFilingAtMs - now.getTime()) / 1000)))
    if (refusal !== null || bank === undefined) return refuse(refusal ?? 'NO_BANK')
    await tx.query(
      ...INSERT({
        id,
        ownerId: subject.userId,
        kind: filing.kind,
        amount: filing.amountMinor,
        depositMemo: filing.kind === 'deposit' ? filing.memo : null,
        withdrawalNote: filing.kind === 'withdrawal' ? filing.withdrawalNote : null,
        bankId: bank.id,
        accountNumber: bank.accountNumber,
        accountHolder: bank.accountHolder,
        bankName: bank.bankName,
        filedAt: now,
      }),
    )
    if (filing.kind === 'withdrawal')
      await postTransfers(tx, [holdTransfer(id, subject.userId, filing.amountMinor)], now.getTime(), accounts)
    const filed = await readRequest(tx, id)
    if (filed === null) throw new Error('A request that was just filed is not there.')
    const json = encode(filed)
    await keepAnswer(tx, ROUTE, subject.userId, claim, json)
    tx.afterCommit(() => {
      hints.requestChanged(id)
      if (filing.kind === 'withdrawal') hints.balanceChanged(subject.userId, walletMinor - filing.amountMinor)
    })
    return json
  }
  return retrying(db, file, { looksFirst: true })
}
