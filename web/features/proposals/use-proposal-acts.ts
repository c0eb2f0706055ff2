import { useAdminRefresh, useShowRow } from '#web/lists/use-admin-refresh.ts'
import { confirmProposal, endProposal, type Proposal } from './api.ts'

/** Acts on proposals. The row in the server's answer is shown at once; every list with it is refetched. */
export function useProposalActs() {
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
    confirm: ({ id }: Proposal) => done(confirmProposal(id)),
    end: ({ id }: Proposal, reason: string) => done(endProposal(id, reason)),
  }
}
