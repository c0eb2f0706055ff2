import * as z from 'zod/mini'
import { ANSWER_REFUSALS, DISPUTE_STATUSES, OPENING_REFUSALS } from '#domain/disputes/dispute.ts'
import { amount, answer, instant, person, query, request, text, words } from './codecs.ts'
import { endpoint, listOf } from './endpoint.ts'
import { betDecision, namedRound } from './game.ts'
import { byName, byTime, filterQuery, type ListDeclaration } from './lists.ts'
import { listQuery, wholeQuery } from './page-query.ts'
import { openProposal } from './open-proposal.ts'

export const disputeStatus = words({ open: 'OPEN', upheld: 'UPHELD', rejected: 'REJECTED' })

/** The text of a dispute or of its answer. The domain rule's limit is lower, so the rule refuses a long text. */
const sentence = text.check(z.maxLength(1_000))

/**
 * Shows which sentence a dispute's entry in the open book seals: `c` is SHA-256(salt ‖ sentence). `salt` and `c` are in
 * base64. `index` is null while the entry waits to be sealed (`isWaiting`), and if there is no entry (rules §9.3).
 */
const disputeEntry = answer(() => ({
  salt: text,
  c: text,
  index: z.nullable(z.int()),
  isWaiting: z.optional(z.boolean()),
}))

export const dispute = answer(() => ({
  id: ['_id', text],
  owner: ['userId', person],
  status: disputeStatus,
  text,
  openedAtMs: ['openedAt', instant],
  conversationId: text,
  bet: answer(() => ({
    id: ['_id', text],
    round: ['gameId', namedRound],
    stakeMinor: ['score', amount],
    ...betDecision,
    profitMinor: ['profit', amount],
    createdAtMs: ['createdAt', instant],
    sealIndex: z.nullable(z.int()),
  })),
  entry: disputeEntry,
  answer: z.nullable(
    answer(() => ({
      text,
      by: person,
      atMs: ['at', instant],
      correctionMinor: ['correction', z.nullable(amount)],
      entry: disputeEntry,
    })),
  ),
  proposal: openProposal,
}))
export type Dispute = z.output<typeof dispute>

export const disputeList = {
  sorts: ['openedAt'],
  firstSort: 'openedAt',
  filters: {
    status: { kind: 'choice', values: DISPUTE_STATUSES, wire: disputeStatus },
    username: byName,
    userId: { kind: 'id' },
    ...byTime,
  },
} as const satisfies ListDeclaration

export const disputeEndpoints = {
  readBetDispute: endpoint('GET', '/api/v1/history/{id}/dispute', 'own-data', {
    data: z.nullable(dispute),
    refusals: ['NOT_FOUND'],
    summary: 'The dispute of an own bet; null while there is none',
  }),
  openDispute: endpoint('POST', '/api/v1/history/{id}/dispute', 'player', {
    body: request(() => ({ text: sentence })),
    data: dispute,
    refusals: [...OPENING_REFUSALS, 'NOT_FOUND'],
    summary: 'Dispute an own settled bet; the case stands in customer care',
  }),
  readDispute: endpoint('GET', '/api/v1/disputes/{id}', 'own-data', {
    asStaff: 'staff',
    data: dispute,
    refusals: ['NOT_FOUND'],
    summary: 'A dispute, for its owner and for staff',
  }),
  listDisputes: endpoint('GET', '/api/v1/disputes', 'staff', {
    query: query(() => ({ ...listQuery, ...filterQuery(disputeList.filters), ...wholeQuery })),
    ...listOf(dispute),
    summary: 'Disputes of everybody, oldest first',
  }),
  answerDispute: endpoint('POST', '/api/v1/disputes/{id}/answer', 'staff', {
    parts: ['money', 'care'],
    body: request(() => ({
      verdict: ['status', words({ upheld: 'UPHELD', rejected: 'REJECTED' })],
      text: sentence,
      correctionMinor: ['correction', z.optional(z.nullable(amount))],
    })),
    data: dispute,
    refusals: [...ANSWER_REFUSALS, 'NOT_FOUND', 'PROPOSAL_OPEN', 'LEDGER_CHECK_FAILED'],
    summary: 'Uphold a dispute with a correction, or reject it; once. Above a sum a correction is a proposal',
  }),
} as const
