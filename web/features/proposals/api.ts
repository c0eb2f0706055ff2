import { type Proposal, proposalEndpoints } from '#contract/proposals.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'
import { adminKeys } from '#web/lists/admin-keys.ts'
import { pagesOf, waitingIn } from '#web/lists/list-pages.ts'

export type { Proposal } from '#contract/proposals.ts'

/** The list shows balances, which change with every bet, so the list is fetched again this often. */
const refetchMs = 20_000

export const proposalsPage = pagesOf(proposalEndpoints.listProposals, adminKeys.proposals, refetchMs)

/** One proposal in its current state; null if the id is unknown. */
export const proposalQuery = (id: string) =>
  endpointQuery(
    [...adminKeys.proposals, 'one'],
    proposalEndpoints.listProposals,
    { query: { ids: [id] } },
    ({ rows }): Proposal | null => rows[0] ?? null,
  )

export const openProposalsQuery = waitingIn(proposalEndpoints.listProposals, [...adminKeys.proposals, 'open'], {
  status: 'open',
  limit: 1,
})

export const confirmProposal = (id: string): Promise<Proposal> =>
  callEndpoint(proposalEndpoints.confirmProposal, { params: { id } })

export const endProposal = (id: string, reason: string): Promise<Proposal> =>
  callEndpoint(proposalEndpoints.endProposal, { params: { id }, body: { reason } })
