import * as z from 'zod/mini'
import { MEMO_MAX, REASON_MAX } from '#domain/cashier/request.ts'
import { bankAccount } from './banks.ts'
import { amount, answer, id, idList, instant, person, query, request, words } from './codecs.ts'
import { endpoint } from './endpoint.ts'
import { amountQuery, listQuery, nameQuery, timeQuery } from './lists.ts'
import { openProposal } from './open-proposal.ts'

export const requestKind = words({ deposit: 'DEPOSIT', withdrawal: 'WITHDRAW' })
export const requestStatus = words({ pending: 'IN_PROGRESS', approved: 'ACCEPT', rejected: 'REJECT' })

export const cashRequest = answer(() => ({
  id: ['_id', z.string()],
  owner: ['author', person],
  kind: ['type', requestKind],
  amountMinor: ['money', amount],
  /** One field of the wire with two meanings: the deposit's content, and after a rejection the reason. */
  memoOrReason: ['description', z.string()],
  depositMemo: ['depositMemo', z.nullable(z.string())],
  rejectionReason: ['rejectionReason', z.nullable(z.string())],
  withdrawalNote: ['pass', z.nullable(z.string())],
  status: ['status', requestStatus],
  bank: ['bank', bankAccount],
  decidedBy: ['decidedBy', z.nullable(person)],
  decidedAtMs: ['decidedAt', z.nullable(instant)],
  createdAtMs: ['createdAt', instant],
  /** For staff alone: what waits for a second person (rules §3.10). */
  proposal: ['proposal', openProposal],
}))
export type CashRequest = z.output<typeof cashRequest>

/** What requests are filtered by; the name, the bank and who decided by staff alone. */
export const requestFilters = () => ({
  userId: z.optional(id),
  username: nameQuery,
  status: z.optional(requestStatus),
  type: z.optional(requestKind),
  /** Filed in [from, to). */
  ...timeQuery,
  ...amountQuery,
  /** The last digits of an account number, or the beginning of a bank's name. */
  bank: z.optional(z.string().check(z.maxLength(80))),
  /** Decided by this admin. */
  by: nameQuery,
})

/** A number that is no valid amount breaks a rule (422) rather than the format, so the codec reads it as zero. */
const money = z.codec(z.number(), z.bigint(), {
  decode: (value) => {
    const cents = Math.round(value * 100)
    return Number.isFinite(value) && Math.abs(value) <= 1e13 && cents / 100 === value ? BigInt(cents) : 0n
  },
  encode: (minor) => Number(minor) / 100,
})

export const cashierEndpoints = {
  listRequests: endpoint({
    method: 'GET',
    path: '/api/v1/transaction',
    access: 'own-data',
    asStaff: 'staff',
    query: query(() => ({
      ...listQuery,
      ...requestFilters(),
      /**
       * Only these ids, separated by commas: a screen asks for the rows that it shows, after a hint that something
       * changed.
       */
      ids: z.optional(idList),
    })),
    data: z.array(cashRequest),
    isList: true,
    summary: 'Own requests, newest first; staff see everybody’s unless they name a user',
  }),
  fileRequest: endpoint({
    method: 'POST',
    path: '/api/v1/transaction',
    access: 'player',
    isMoneyAct: true,
    body: request(() => ({
      amountMinor: ['money', money],
      memo: ['description', z.optional(z.nullable(z.string().check(z.maxLength(MEMO_MAX))))],
      withdrawalNote: ['pass', z.optional(z.nullable(z.string().check(z.maxLength(MEMO_MAX))))],
      kind: ['type', requestKind],
      ownerId: ['author', z.optional(z.string())],
      bankId: ['bank', z.optional(z.nullable(id))],
    })),
    data: cashRequest,
    refusals: [
      'STAFF_CANNOT_PLAY',
      'AMOUNT_REQUIRED',
      'AMOUNT_LIMIT',
      'NO_BANK',
      'BANK_NOT_FOUND',
      'INSUFFICIENT_FUNDS',
      'TOO_MANY_REQUESTS_PENDING',
      'TOO_MANY_FILINGS',
      'KEY_REUSED',
      'LEDGER_CHECK_FAILED',
    ],
    summary: 'File a deposit or a withdrawal',
  }),
  decideRequest: endpoint({
    method: 'PATCH',
    path: '/api/v1/transaction/{id}',
    access: 'staff:money',
    params: z.object({ id }),
    body: request(() => ({
      verdict: ['status', words({ approved: 'ACCEPT', rejected: 'REJECT' })],
      reason: ['description', z.optional(z.nullable(z.string().check(z.maxLength(REASON_MAX))))],
      from: ['from', z.optional(requestStatus)],
    })),
    data: cashRequest,
    refusals: [
      'NOT_FOUND',
      'ALREADY_DECIDED',
      'REASON_REQUIRED',
      'NOT_YOURSELF',
      'STALE',
      'PROPOSAL_OPEN',
      'LEDGER_CHECK_FAILED',
    ],
    summary: 'Approve or reject a request, or edit a rejection’s reason; above a sum an approval is a proposal',
  }),
  deleteRequest: endpoint({
    method: 'DELETE',
    path: '/api/v1/transaction/{id}',
    access: 'player',
    asStaff: 'staff:money',
    params: z.object({ id }),
    data: z.null(),
    refusals: ['NOT_FOUND', 'ALREADY_DECIDED', 'LEDGER_CHECK_FAILED'],
    summary: 'Cancel one’s own pending request; staff reject a pending one and hide it from staff lists',
  }),
} as const
