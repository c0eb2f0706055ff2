import { useAdminRefresh, useShowRow } from '#web/lists/use-admin-refresh.ts'
import { confirmProposal, endProposal, type Proposal } from './api.ts'

export type ProposalActs = {
  readonly confirm: (proposal: Proposal) => Promise<void>
  readonly end: (proposal: Proposal, reason: string) => Promise<void>
}

/** Acts on proposals. The row in the server's answer is shown at once; every list with it is refetched. */
export function useProposalActs(): ProposalActs {
  const refresh = useAdminRefresh('proposals', 'requests', 'disputes', 'users', 'overview', 'audit')
  const showRow = useShowRow<Proposal>('proposals')
  const done = async (answer: Promise<Proposal>) => {
    try {
      showRow(await answer)
    } finally {
      // Also after a refusal: the list then shows the current state.
      refresh()
    }
  }
  return {
    confirm: ({ id }) => done(confirmProposal(id)),
    end: ({ id }, reason) => done(endProposal(id, reason)),
  }
}
