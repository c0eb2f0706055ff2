import { useEffect } from 'react'
import { adminKeys } from '#web/ui/data-table/admin-keys.ts'
import { queryClient } from '#web/platform/query-client.ts'
import { onServerEvent } from '#web/platform/socket.ts'

/** Hints within this time, as from a bulk approval, cause one request. */
const gatherMs = 250

/** Refetches every query that shows requests when a request was filed or decided (rules §6). */
export function useAdminHints(): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = onServerEvent('transaction_changed', () => {
      timer ??= setTimeout(() => {
        timer = undefined
        void queryClient.invalidateQueries({ queryKey: adminKeys.requests })
        void queryClient.invalidateQueries({ queryKey: adminKeys.overview })
      }, gatherMs)
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [])
}
