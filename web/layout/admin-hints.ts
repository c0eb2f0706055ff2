import { useEffect } from 'react'
import { adminKeys } from '#web/lists/admin-keys.ts'
import { refresh } from '#web/platform/query-client.ts'
import { gathered } from '#web/platform/refresh-after.ts'
import { together } from '#web/platform/signal.ts'
import { onServerEvent } from '#web/platform/socket.ts'

export function useAdminHints(): void {
  useEffect(() => {
    const { proposals, requests, disputes, users, overview, requestViews } = adminKeys
    const ofRequests = gathered(() => void refresh(requests, overview))
    const ofUsers = gathered(() => void refresh(users))
    return together(
      onServerEvent('dispute_changed', () => void refresh(disputes)),
      onServerEvent('proposal_changed', () => void refresh(proposals, requests, disputes, users)),
      onServerEvent('transaction_changed', ofRequests.hear),
      onServerEvent('user_changed', ofUsers.hear),
      onServerEvent('transaction_viewed', () => void refresh(requestViews)),
      ofRequests.stop,
      ofUsers.stop,
    )
  }, [])
}
