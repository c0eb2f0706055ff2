import type { RequestStatus } from '#domain/cashier/request.ts'
import { adminRequestTexts as texts } from './admin-request-texts.ts'
import { formatAmount, formatDateTime } from '#web/platform/formats.ts'
import type { BadgeTone } from '#web/ui/badge.tsx'
import type { Facts } from '#web/ui/fact-list.tsx'
import type { First } from '#web/parts/overtaken.tsx'
import type { CashRequest } from './api.ts'

export const statusWords: Readonly<Record<RequestStatus, { readonly label: string; readonly tone: BadgeTone }>> = {
  pending: { label: texts.pending, tone: 'warn' },
  approved: { label: texts.approved, tone: 'up' },
  rejected: { label: texts.rejected, tone: 'down' },
}

export const kindWords = { deposit: texts.deposit, withdrawal: texts.withdrawal } as const

export const sayFirst = ({ name }: First): string => (name === null ? texts.someoneDecided : texts.justDecided(name))

/** Returns the amount, negative for a withdrawal. */
export const signedMinor = ({ kind, amountMinor }: CashRequest): bigint =>
  kind === 'deposit' ? amountMinor : -amountMinor

/** Masks all but the last four characters, which suffice to tell accounts apart in a column. */
export const maskedNumber = (accountNumber: string): string =>
  accountNumber.length <= 4 ? accountNumber : `••${accountNumber.slice(-4)}`

/** Puts a space after every four characters. With spaces, a spreadsheet also keeps a long number as text. */
export const groupedNumber = (accountNumber: string): string => accountNumber.replace(/(?<=^(?:.{4})+)(?=.)/g, ' ')

/** Returns the text that the owner wrote: the memo of a deposit or the note of a withdrawal. */
export const memoOf = ({ depositMemo, withdrawalNote }: CashRequest): string => depositMemo ?? withdrawalNote ?? ''

export const requestFacts = (request: CashRequest): Facts => [
  [texts.time, formatDateTime(request.createdAtMs)],
  [texts.bank, request.bank.bankName],
  [texts.number, groupedNumber(request.bank.accountNumber)],
  [texts.holder, request.bank.accountHolder],
  [texts.memo, memoOf(request) || texts.none],
]

const approvals = {
  deposit: { now: texts.approveDeposit, proposed: texts.proposeDeposit },
  withdrawal: { now: texts.approveWithdrawal, proposed: texts.proposeWithdrawal },
} as const

/** Returns the sentence about an approval, or with `isProposed` about a proposal for a second person. */
export const approveText = ({ kind, owner, amountMinor }: CashRequest, isProposed: boolean): string =>
  approvals[kind][isProposed ? 'proposed' : 'now'](owner.username, formatAmount(amountMinor))

export const rejectText = ({ kind, owner, amountMinor }: CashRequest): string =>
  (kind === 'deposit' ? texts.rejectDeposit : texts.rejectWithdrawal)(owner.username, formatAmount(amountMinor))

export const removeText = ({ kind, owner, amountMinor, status }: CashRequest): string => {
  const say =
    status !== 'pending'
      ? texts.removeDecided
      : kind === 'deposit'
        ? texts.removePendingDeposit
        : texts.removePendingWithdrawal
  return say(owner.username, formatAmount(amountMinor))
}
