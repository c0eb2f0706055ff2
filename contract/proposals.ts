import * as z from 'zod/mini'
import { CONFIRM_REFUSALS, END_REASON_MAX, PROPOSAL_STATUSES } from '#domain/four-eyes/proposal.ts'
import { amount, answer, id, instant, person, query, request, text, words } from './codecs.ts'
import { endpoint, listOf } from './endpoint.ts'
import { filterQuery, type ListDeclaration } from './lists.ts'
import { listQuery, wholeQuery } from './page-query.ts'

export const proposalKind = words({
  deposit: 'DEPOSIT',
  withdrawal: 'WITHDRAW',
  adjustment: 'ADJUSTMENT',
  correction: 'CORRECTION',
})
export const proposalStatus = words({
  open: 'OPEN',
  confirmed: 'CONFIRMED',
  withdrawn: 'WITHDRAWN',
  refused: 'REFUSED',
  overtaken: 'OVERTAKEN',
  expired: 'EXPIRED',
})

/** A transfer that one admin proposed, and its outcome (rules §3.10). */
export const proposal = answer(() => ({
  id: ['_id', text],
  kind: ['type', proposalKind],
  owner: ['author', person],
  /** Negative for an adjustment that takes points away. */
  amountMinor: ['money', amount],
  requestId: ['transactionId', z.nullable(text)],
  disputeId: z.nullable(text),
  reason: z.nullable(text),
  summedMinor: ['summed', amount],
  adminSummedMinor: ['summedByProposer', z.optional(z.nullable(amount))],
  proposedBy: person,
  proposedAtMs: ['createdAt', instant],
  expiresAtMs: ['expiresAt', instant],
  status: proposalStatus,
  endedBy: z.nullable(person),
  endedAtMs: ['endedAt', z.nullable(instant)],
  endReason: z.nullable(text),
  balanceMinor: ['balance', amount],
  reservedMinor: ['reserved', amount],
  hasSecondPerson: z.boolean(),
  /** The admins who may confirm the open proposal, each with the time from which they may. */
  secondPeople: z.optional(
    z.array(
      answer(() => ({
        id: ['_id', text],
        username: text,
        moneySinceMs: ['moneySince', instant],
        fromMs: ['from', instant],
      })),
    ),
  ),
  confirmerSinceMs: ['confirmerSince', z.optional(z.nullable(instant))],
}))
export type Proposal = z.output<typeof proposal>

export const proposalList = {
  sorts: ['createdAt'],
  firstSort: '-createdAt',
  filters: {
    status: { kind: 'choice', values: PROPOSAL_STATUSES, wire: proposalStatus },
    userId: { kind: 'id' },
  },
} as const satisfies ListDeclaration

export const proposalEndpoints = {
  listProposals: endpoint('GET', '/api/v1/proposals', 'staff', {
    query: query(() => ({ ...listQuery, ...filterQuery(proposalList.filters), ...wholeQuery })),
    ...listOf(proposal),
    summary: 'What waits for a second person, and what became of it, newest first',
  }),
  readDaySum: endpoint('GET', '/api/v1/proposals/sum', 'staff', {
    query: query(() => ({ userId: id })),
    data: answer(() => ({
      /**
       * Points that staff moved in the last 24 hours, up or down. `movedMinor`: all staff, for this player. `byAdminMinor`:
       * the asking admin, for all players.
       */
      movedMinor: ['moved', amount],
      byAdminMinor: ['movedByYou', z.optional(amount)],
      fromMinor: ['from', z.nullable(amount)],
    })),
    refusals: ['NOT_FOUND'],
    summary: 'What staff moved for a player in 24 hours, and from which sum on a second person is needed',
  }),
  confirmProposal: endpoint('POST', '/api/v1/proposals/{id}/confirm', 'staff:money', {
    needsFreshFactor: true,
    data: proposal,
    refusals: [...CONFIRM_REFUSALS, 'NOT_FOUND', 'USER_DELETED', 'AMOUNT_LIMIT', 'LEDGER_CHECK_FAILED'],
    summary: 'Confirm as the second person: the points move now',
  }),
  endProposal: endpoint('DELETE', '/api/v1/proposals/{id}', 'staff:money', {
    body: request(() => ({ reason: z.optional(z.nullable(text.check(z.maxLength(END_REASON_MAX)))) })),
    data: proposal,
    refusals: ['NOT_FOUND', 'NOT_YOURSELF', 'PROPOSAL_ENDED', 'REASON_REQUIRED'],
    summary: 'Withdraw one’s own proposal, or refuse a colleague’s with a reason; nothing moves',
  }),
} as const
