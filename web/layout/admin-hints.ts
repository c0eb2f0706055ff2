import { useEffect } from 'react'
import { adminKeys } from '#web/ui/data-table/admin-keys.ts'
import { queryClient } from '#web/platform/query-client.ts'
import { onServerEvent } from '#web/platform/socket.ts'

/** Hints within this time, as from a bulk approval, cause one request. */
const gatherMs = 250

/** Refetches what shows requests, disputes, proposals or users when one was made, decided or changed (rules §6). */
export function useAdminHints(): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stopDisputes = onServerEvent('dispute_changed', () => {
      void queryClient.invalidateQueries({ queryKey: adminKeys.disputes })
    })
    const stopProposals = onServerEvent('proposal_changed', () => {
      const told = [adminKeys.proposals, adminKeys.requests, adminKeys.disputes, adminKeys.users] as const
      for (const queryKey of told) void queryClient.invalidateQueries({ queryKey })
    })
    const stop = onServerEvent('transaction_changed', () => {
      timer ??= setTimeout(() => {
        timer = undefined
        void queryClient.invalidateQueries({ queryKey: adminKeys.requests })
        void queryClient.invalidateQueries({ queryKey: adminKeys.overview })
      }, gatherMs)
    })
    let usersTimer: ReturnType<typeof setTimeout> | undefined
    const stopUsers = onServerEvent('user_changed', () => {
      usersTimer ??= setTimeout(() => {
        usersTimer = undefined
        void queryClient.invalidateQueries({ queryKey: adminKeys.users })
      }, gatherMs)
    })
    const stopViews = onServerEvent('transaction_viewed', () => {
      void queryClient.invalidateQueries({ queryKey: adminKeys.requestViews })
    })
    return () => {
      clearTimeout(timer)
      clearTimeout(usersTimer)
      stopUsers()
      stopViews()
      stop()
      stopDisputes()
      stopProposals()
    }
  }, [])
}
