import { useEffect } from 'react'
import { queryClient, refresh } from '#web/platform/query-client.ts'
import { sharedKeys } from '#web/platform/query-keys.ts'
import { deviceNowMs } from '#web/platform/server-time.ts'
import { onServerEvent } from '#web/platform/socket.ts'

type WithBalance = { readonly balanceMinor: bigint }

/** Writes each balance that the socket sends into the cache. Once for the page, in the guarded area. */
export function useBalanceEvents(): void {
  useEffect(
    () =>
      onServerEvent('balance_changed', ({ balanceMinor }) => {
        for (const queryKey of [sharedKeys.me, sharedKeys.config]) {
          queryClient.setQueriesData<WithBalance>({ queryKey }, (old) => old && { ...old, balanceMinor })
          // An answer that is on its way may be older than the event.
          if (queryClient.isFetching({ queryKey }) > 0) void refresh(queryKey)
        }
      }),
    [],
  )
}

/** A younger balance was loaded for this screen. */
const freshMs = 2_000

/** Refetches the balance when a screen opens, since another one may have changed it. */
export function useFreshBalance(): void {
  useEffect(() => {
    const askedAtMs = queryClient.getQueryState(sharedKeys.me)?.dataUpdatedAt ?? 0
    if (deviceNowMs() - askedAtMs > freshMs) void refresh(sharedKeys.me, sharedKeys.config)
  }, [])
}
