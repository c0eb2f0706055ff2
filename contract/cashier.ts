import * as z from 'zod/mini'
import {
  DECISION_REFUSALS,
  FILING_REFUSALS,
  MEMO_MAX,
  REASON_MAX,
  REQUEST_KINDS,
  REQUEST_STATUSES,
} from '#domain/cashier/request.ts'
import { bankAccount } from './banks.ts'
import { amount, answer, id, instant, person, query, request, text, words } from './codecs.ts'
import { endpoint, listOf } from './endpoint.ts'
import { byAmount, byName, byTime, filterQuery, type ListDeclaration } from './lists.ts'
import { listQuery, wholeQuery } from './page-query.ts'
import { openProposal, secondPersonSum } from './open-proposal.ts'

export const requestKind = words({ deposit: 'DEPOSIT', withdrawal: 'WITHDRAW' })
export const requestStatus = words({ pending: 'IN_PROGRESS', approved: 'ACCEPT', rejected: 'REJECT' })

export const requestFacts = {
  id: ['_id', text],
  owner: ['author', person],
  kind: ['type', requestKind],
  amountMinor: ['money', amount],
  status: requestStatus,
  createdAtMs: ['createdAt', instant],
} as const

export const cashRequest = answer(() => ({
  ...requestFacts,
  /** One wire field with two meanings: the reason of a rejection, else the memo of a deposit. */
  memoOrReason: ['description', text],
  depositMemo: z.nullable(text),
  rejectionReason: z.nullable(text),
  withdrawalNote: ['pass', z.nullable(text)],
  bank: bankAccount,
  decidedBy: z.nullable(person),
  decidedAtMs: ['decidedAt', z.nullable(instant)],
  proposal: openProposal,
  secondPerson: secondPersonSum,
}))
export type CashRequest = z.output<typeof cashRequest>

export const requestList = {
  sorts: ['createdAt', 'money'],
  firstSort: '-createdAt',
  filters: {
    userId: { kind: 'id' },
    username: byName,
    status: { kind: 'choice', values: REQUEST_STATUSES, wire: requestStatus },
    type: { kind: 'choice', values: REQUEST_KINDS, wire: requestKind, inAddress: 'kind' },
    ...byTime,
    ...byAmount,
    bank: { kind: 'text', maxLength: 80 },
    /** The admin who decided the request. */
    by: { kind: 'text' },
  },
} as const satisfies ListDeclaration

/** Reads a number that is no valid amount as zero, so that a rule refuses it (422), not the format check (400). */
const money = z.codec(z.number(), z.bigint(), {
  decode: (value) => {
    const cents = Math.round(value * 100)
    return Number.isFinite(value) && Math.abs(value) <= 1e13 && cents / 100 === value ? BigInt(cents) : 0n
  },
  encode: (minor) => Number(minor) / 100,
})

export const cashierEndpoints = {
  listRequests: endpoint('GET', '/api/v1/transaction', 'own-data', {
    asStaff: 'staff',
    query: query(() => ({ ...listQuery, ...filterQuery(requestList.filters), ...wholeQuery })),
    ...listOf(cashRequest),
    summary: 'Own requests, newest first; staff see everybody’s unless they name a user',
  }),
  fileRequest: endpoint('POST', '/api/v1/transaction', 'player', {
    takesKey: true,
    body: request(() => ({
      amountMinor: ['money', money],
      memo: ['description', z.optional(z.nullable(text.check(z.maxLength(MEMO_MAX))))],
      withdrawalNote: ['pass', z.optional(z.nullable(text.check(z.maxLength(MEMO_MAX))))],
      kind: ['type', requestKind],
      ownerId: ['author', z.optional(text)],
      bankId: ['bank', z.optional(z.nullable(id))],
    })),
    data: cashRequest,
    refusals: [...FILING_REFUSALS, 'KEY_REUSED', 'LEDGER_CHECK_FAILED'],
    summary: 'File a deposit or a withdrawal',
  }),
  decideRequest: endpoint('PATCH', '/api/v1/transaction/{id}', 'staff:money', {
    body: request(() => ({
      verdict: ['status', words({ approved: 'ACCEPT', rejected: 'REJECT' })],
      reason: ['description', z.optional(z.nullable(text.check(z.maxLength(REASON_MAX))))],
      from: z.optional(requestStatus),
    })),
    data: cashRequest,
    refusals: [...DECISION_REFUSALS, 'NOT_FOUND', 'PROPOSAL_OPEN', 'LEDGER_CHECK_FAILED'],
    summary: 'Approve or reject a request, or edit a rejection’s reason; above a sum an approval is a proposal',
  }),
  deleteRequest: endpoint('DELETE', '/api/v1/transaction/{id}', 'player', {
    asStaff: 'staff:money',
    query: query(() => ({ from: z.optional(requestStatus) })),
    refusals: ['NOT_FOUND', 'ALREADY_DECIDED', 'LEDGER_CHECK_FAILED'],
    summary: 'Cancel one’s own pending request; staff reject a pending one and hide it from staff lists',
  }),
} as const
