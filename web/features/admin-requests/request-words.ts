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

/** Returns the amount as positive for a deposit, as negative for a withdrawal. */
export const signedMinor = ({ kind, amountMinor }: CashRequest): bigint =>
  kind === 'deposit' ? amountMinor : -amountMinor

/** Returns only the last four digits: they suffice to distinguish accounts in a column. The details show all digits. */
export const maskedNumber = (accountNumber: string): string =>
  accountNumber.length <= 4 ? accountNumber : `••${accountNumber.slice(-4)}`

/** Separates the digits in groups of four, which are easy to read and which a spreadsheet keeps as text. */
export const groupedNumber = (accountNumber: string): string => accountNumber.replace(/(?<=^(?:.{4})+)(?=.)/g, ' ')

/** Returns the text that the owner wrote: the memo of a deposit or the note of a withdrawal. */
export const memoOf = ({ depositMemo, withdrawalNote }: CashRequest): string => depositMemo ?? withdrawalNote ?? ''

/** Returns the facts of a request: when it was filed, its bank account and its owner's text. */
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

/** Returns a sentence: what an approval does, or with `isProposed` that it becomes a proposal for a second person. */
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
