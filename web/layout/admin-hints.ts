import { useEffect } from 'react'
import { adminKeys } from '#web/lists/admin-keys.ts'
import { refresh } from '#web/platform/query-client.ts'
import { onServerEvent } from '#web/platform/socket.ts'

/** Hints within this time, as from a bulk approval, cause one request. */
const gatherMs = 250

/** The lists that an event changes; `isGathered` where several may come at once. */
const hints = [
  { event: 'dispute_changed', keys: [adminKeys.disputes] },
  {
    event: 'proposal_changed',
    keys: [adminKeys.proposals, adminKeys.requests, adminKeys.disputes, adminKeys.users],
  },
  { event: 'transaction_viewed', keys: [adminKeys.requestViews] },
  { event: 'transaction_changed', keys: [adminKeys.requests, adminKeys.overview], isGathered: true },
  { event: 'user_changed', keys: [adminKeys.users], isGathered: true },
] as const

export function useAdminHints(): void {
  useEffect(() => {
    const stops = hints.map(({ event, keys, ...hint }) => {
      let timer: ReturnType<typeof setTimeout> | undefined
      const refetch = () => {
        timer = undefined
        void refresh(...keys)
      }
      const stop = onServerEvent(
        event,
        'isGathered' in hint ? () => (timer ??= setTimeout(refetch, gatherMs)) : refetch,
      )
      return () => {
        clearTimeout(timer)
        stop()
      }
    })
    return () => {
      for (const stop of stops) stop()
    }
  }, [])
}
