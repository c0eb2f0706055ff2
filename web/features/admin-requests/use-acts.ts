import { useAdminRefresh, useShownAct } from '#web/lists/use-admin-refresh.ts'
import { type CashRequest, decideRequest, deleteRequest } from './api.ts'

const lists = ['requests', 'proposals', 'overview', 'audit'] as const

/** Returns the acts on requests. */
export function useRequestActs() {
  const refresh = useAdminRefresh(...lists)
  const decided = useShownAct<CashRequest>(...lists)
  return {
    /** Returns the request in its new state, which is still pending if the approval waits for a second person. */
    approve: ({ id, status }: CashRequest) => decided(decideRequest(id, { verdict: 'approved', from: status })),
    reject: ({ id, status }: CashRequest, reason: string) =>
      decided(decideRequest(id, { verdict: 'rejected', reason, from: status })),
    remove: ({ id, status }: CashRequest) => deleteRequest(id, status).finally(refresh),
  }
}
