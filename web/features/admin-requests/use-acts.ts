import { useAdminRefresh, useShowRow } from '#web/lists/use-admin-refresh.ts'
import { type CashRequest, decideRequest, deleteRequest } from './api.ts'

/** Returns the acts on requests. A decided request is shown as the server returned it, and the lists are refetched. */
export function useRequestActs() {
  const refresh = useAdminRefresh('requests', 'proposals', 'overview', 'audit')
  const showRow = useShowRow<CashRequest>('requests')
  const decided = async (answer: Promise<CashRequest>) => {
    try {
      const request = await answer
      showRow(request)
      return request
    } finally {
      // Runs also after a conflict or a lost answer, so that the list shows the current state.
      refresh()
    }
  }
  return {
    /** Returns the request in its new state, which is still pending if the approval waits for a second person. */
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
