import { useEffect } from 'react'
import { adminKeys } from '#web/lists/admin-keys.ts'
import { refresh } from '#web/platform/query-client.ts'
import { onServerEvent } from '#web/platform/socket.ts'

/** A bulk act makes the server send many events. All events within this time cause only one refetch. */
const gatherMs = 250

function gathered(refetch: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const hear = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      refetch()
    }, gatherMs)
  }
  return { hear, stop: () => clearTimeout(timer) }
}

export function useAdminHints(): void {
  useEffect(() => {
    const { proposals, requests, disputes, users, overview, requestViews } = adminKeys
    const ofRequests = gathered(() => void refresh(requests, overview))
    const ofUsers = gathered(() => void refresh(users))
    const stops = [
      onServerEvent('dispute_changed', () => void refresh(disputes)),
      onServerEvent('proposal_changed', () => void refresh(proposals, requests, disputes, users)),
      onServerEvent('transaction_changed', ofRequests.hear),
      onServerEvent('user_changed', ofUsers.hear),
      onServerEvent('transaction_viewed', () => void refresh(requestViews)),
      ofRequests.stop,
      ofUsers.stop,
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [])
}
