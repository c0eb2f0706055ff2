import { useAdminRefresh, useShowRow } from '#web/lists/use-admin-refresh.ts'
import { type CashRequest, decideRequest, deleteRequest } from './api.ts'

/** Acts on requests. The row in the server's answer is shown at once; every other query is refetched. */
export function useRequestActs() {
  const refresh = useAdminRefresh('requests', 'proposals', 'overview', 'audit')
  const showRow = useShowRow<CashRequest>('requests')
  const decided = async (answer: Promise<CashRequest>) => {
    try {
      const request = await answer
      showRow(request)
      return request
    } finally {
      // Also after a conflict or a lost answer: the list then shows the current state.
      refresh()
    }
  }
  return {
    /** Returns the present state of the request: still pending where its approval waits for a second person. */
    approve: ({ id, status }: CashRequest) => decided(decideRequest(id, { verdict: 'approved', from: status })),
    reject: async ({ id, status }: CashRequest, reason: string) => {
      await decided(decideRequest(id, { verdict: 'rejected', reason, from: status }))
    },
    remove: async ({ id, status }: CashRequest) => {
      try {
        await deleteRequest(id, status)
      } finally {
        refresh()
      }
    },
    refresh,
  }
}
