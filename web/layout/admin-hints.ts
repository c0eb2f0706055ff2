import { useEffect } from 'react'
import { adminKeys } from '#web/lists/admin-keys.ts'
import { refresh } from '#web/platform/query-client.ts'
import { onServerEvent } from '#web/platform/socket.ts'

/** Hints within this time, as from a bulk approval, cause one request. */
const gatherMs = 250

export function useAdminHints(): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stopDisputes = onServerEvent('dispute_changed', () => {
      void refresh(adminKeys.disputes)
    })
    const stopProposals = onServerEvent('proposal_changed', () => {
      const told = [adminKeys.proposals, adminKeys.requests, adminKeys.disputes, adminKeys.users] as const
      void refresh(...told)
    })
    const stop = onServerEvent('transaction_changed', () => {
      timer ??= setTimeout(() => {
        timer = undefined
        void refresh(adminKeys.requests)
        void refresh(adminKeys.overview)
      }, gatherMs)
    })
    let usersTimer: ReturnType<typeof setTimeout> | undefined
    const stopUsers = onServerEvent('user_changed', () => {
      usersTimer ??= setTimeout(() => {
        usersTimer = undefined
        void refresh(adminKeys.users)
      }, gatherMs)
    })
    const stopViews = onServerEvent('transaction_viewed', () => {
      void refresh(adminKeys.requestViews)
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
