import * as z from 'zod/mini'
import { END_REASON_MAX, PROPOSAL_STATUSES } from '#domain/four-eyes/proposal.ts'
import { amount, answer, id, instant, person, query, request, text, words } from './codecs.ts'
import { endpoint } from './endpoint.ts'
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

/** A transfer that one admin proposed, and its outcome (rules §3.10). For staff alone. */
export const proposal = answer(() => ({
  id: ['_id', text],
  kind: ['type', proposalKind],
  owner: ['author', person],
  /** Negative where an adjustment takes points away. */
  amountMinor: ['money', amount],
  requestId: ['transactionId', z.nullable(text)],
  disputeId: z.nullable(text),
  /** The reason of an adjustment, the sentence of a dispute's answer. */
  reason: z.nullable(text),
  /** The sum that staff had moved for this player in the 24 hours before, including this amount. */
  summedMinor: ['summed', amount],
  /**
   * The sum that its proposer had moved for anybody in that time, including this amount. Null in a proposal of an older
   * version.
   */
  adminSummedMinor: ['summedByProposer', z.optional(z.nullable(amount))],
  proposedBy: person,
  proposedAtMs: ['createdAt', instant],
  expiresAtMs: ['expiresAt', instant],
  status: proposalStatus,
  /** Null where it expired; the player's where they cancelled their request. */
  endedBy: z.nullable(person),
  endedAtMs: ['endedAt', z.nullable(instant)],
  endReason: z.nullable(text),
  /** The player's balance now, and the points reserved for their withdrawals. */
  balanceMinor: ['balance', amount],
  reservedMinor: ['reserved', amount],
  /** False while nobody could confirm the proposal now. */
  hasSecondPerson: z.boolean(),
  /**
   * The admins who may confirm it while it is open, each with the time from which they may; absent in answers of an
   * older version's server.
   */
  secondPeople: z.optional(
    z.array(
      answer(() => ({
        id: ['_id', text],
        username: text,
        /** Since when they may move points without interruption. */
        moneySinceMs: ['moneySince', instant],
        fromMs: ['from', instant],
      })),
    ),
  ),
  /** Since when its confirmer could have moved the points. */
  confirmerSinceMs: ['confirmerSince', z.optional(z.nullable(instant))],
}))
export type Proposal = z.output<typeof proposal>

const daySum = answer(() => ({
  /** The sum that staff moved for this player within the last 24 hours, in either direction. */
  movedMinor: ['moved', amount],
  /** The sum that the asking admin moved for anybody in that time. Absent from the previous version's server. */
  byAdminMinor: ['movedByYou', z.optional(amount)],
  /** The sum of 24 hours from which a second person is needed; null where that is switched off. */
  fromMinor: ['from', z.nullable(amount)],
}))

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
    data: z.array(proposal),
    isList: true,
    summary: 'What waits for a second person, and what became of it, newest first',
  }),
  readDaySum: endpoint('GET', '/api/v1/proposals/sum', 'staff', {
    query: query(() => ({ userId: id })),
    data: daySum,
    refusals: ['NOT_FOUND'],
    summary: 'What staff moved for a player in 24 hours, and from which sum on a second person is needed',
  }),
  confirmProposal: endpoint('POST', '/api/v1/proposals/{id}/confirm', 'staff:money', {
    needsFreshFactor: true,
    params: z.object({ id }),
    data: proposal,
    refusals: [
      'NOT_FOUND',
      'SECOND_PERSON_REQUIRED',
      'CONFIRMER_TOO_NEW',
      'NOT_YOURSELF',
      'PROPOSAL_ENDED',
      'PROPOSER_GONE',
      'USER_DELETED',
      'AMOUNT_LIMIT',
      'LEDGER_CHECK_FAILED',
    ],
    summary: 'Confirm as the second person: the points move now',
  }),
  endProposal: endpoint('DELETE', '/api/v1/proposals/{id}', 'staff:money', {
    params: z.object({ id }),
    body: request(() => ({ reason: z.optional(z.nullable(text.check(z.maxLength(END_REASON_MAX)))) })),
    data: proposal,
    refusals: ['NOT_FOUND', 'NOT_YOURSELF', 'PROPOSAL_ENDED', 'REASON_REQUIRED'],
    summary: 'Withdraw one’s own proposal, or refuse a colleague’s with a reason; nothing moves',
  }),
} as const
