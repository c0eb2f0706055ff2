import { useEffect } from 'react'
import { adminKeys } from '#web/ui/data-table/admin-keys.ts'
import { queryClient } from '#web/platform/query-client.ts'
import { onServerEvent } from '#web/platform/socket.ts'

/** Hints that come together, as from a bulk approval, ask the server once. */
const gatherMs = 250

/** A request was filed or decided somewhere: whatever shows requests asks again (rules §6). */
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
