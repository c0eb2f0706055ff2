import { type Dispute, disputeEndpoints } from '#contract/disputes.ts'
import { type CallInput, callEndpoint } from '#web/platform/api.ts'
import { adminKeys } from '#web/lists/admin-keys.ts'
import { pagesOf, waitingIn } from '#web/lists/list-pages.ts'

export const disputesPage = pagesOf(disputeEndpoints.listDisputes, adminKeys.disputes)

export const openDisputesQuery = waitingIn(
  disputeEndpoints.listDisputes,
  [...adminKeys.disputes, 'open'],
  { status: 'open', sort: 'openedAt', limit: 1 },
  ({ openedAtMs }) => openedAtMs,
)

export type Answer = CallInput<typeof disputeEndpoints.answerDispute>['body']

export const answerDispute = (id: string, answer: Answer): Promise<Dispute> =>
  callEndpoint(disputeEndpoints.answerDispute, { params: { id }, body: answer })
