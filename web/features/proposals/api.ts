import { queryOptions } from '@tanstack/react-query'
import { type Proposal, proposalEndpoints } from '#contract/proposals.ts'
import type { ProposalStatus } from '#domain/four-eyes/proposal.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { adminKeys } from '#web/ui/data-table/admin-keys.ts'
import type { PageAsk, PageQuery } from '#web/ui/data-table/use-admin-list.ts'

export type { Proposal } from '#contract/proposals.ts'

export type ProposalListQuery = PageAsk & { readonly status?: ProposalStatus }

/** Balances move with every bet, so the list is read again this often; the rows update in place. */
const refetchMs = 20_000

export const proposalsPage = (query: ProposalListQuery): PageQuery<Proposal> => ({
  queryKey: [...adminKeys.proposals, 'page', query],
  queryFn: ({ signal }) => callEndpoint(proposalEndpoints.listProposals, { query, signal }),
  refetchInterval: refetchMs,
})

/** One proposal in its present state; null when the id is unknown. */
export const proposalQuery = (id: string) =>
  queryOptions({
    queryKey: [...adminKeys.proposals, 'one', id],
    queryFn: async ({ signal }): Promise<Proposal | null> =>
      (await callEndpoint(proposalEndpoints.listProposals, { query: { ids: [id] }, signal })).rows[0] ?? null,
  })

/** If a socket hint is lost, this interval makes up for it. */
const recountMs = 60_000

/** How many proposals wait. */
export const openProposalsQuery = queryOptions({
  queryKey: [...adminKeys.proposals, 'open'],
  queryFn: async ({ signal }): Promise<{ readonly count: number; readonly isCapped: boolean }> => {
    const query = { status: 'open', limit: 1 } as const
    const { meta } = await callEndpoint(proposalEndpoints.listProposals, { query, signal })
    return { count: meta.total, isCapped: meta.totalCapped === true }
  },
  refetchInterval: recountMs,
})

export const confirmProposal = (id: string): Promise<Proposal> =>
  callEndpoint(proposalEndpoints.confirmProposal, { params: { id } })

export const endProposal = (id: string, reason: string): Promise<Proposal> =>
  callEndpoint(proposalEndpoints.endProposal, { params: { id }, body: { reason } })
