import { formatDateTime } from '#web/platform/formats.ts'
import type { Facts } from '#web/ui/fact-list.tsx'
import { adminRequestTexts as texts } from './admin-request-texts.ts'
import type { CashRequest } from './api.ts'
import { groupedNumber, memoOf } from './request-words.ts'

/** When a request was filed, its account at a bank, and its owner's text. */
export const requestFacts = (request: CashRequest): Facts => [
  [texts.time, formatDateTime(request.createdAtMs)],
  [texts.bank, request.bank.bankName],
  [texts.number, groupedNumber(request.bank.accountNumber)],
  [texts.holder, request.bank.accountHolder],
  [texts.memo, memoOf(request) || texts.none],
]
