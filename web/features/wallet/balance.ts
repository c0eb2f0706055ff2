import { useEffect } from 'react'
import { queryClient, refresh } from '#web/platform/query-client.ts'
import { sharedKeys } from '#web/platform/query-keys.ts'
import { deviceNowMs } from '#web/platform/server-time.ts'
import { onServerEvent } from '#web/platform/socket.ts'

type WithBalance = { readonly balanceMinor: bigint }

/** Stores each balance that arrives by the socket in the query cache. */
export function useBalanceEvents(): void {
  useEffect(
    () =>
      onServerEvent('balance_changed', ({ balanceMinor }) => {
        for (const queryKey of [sharedKeys.me, sharedKeys.config]) {
          queryClient.setQueriesData<WithBalance>({ queryKey }, (old) => old && { ...old, balanceMinor })
          // A response under way may bring an older balance, which would overwrite this one. So fetch once more.
          if (queryClient.isFetching({ queryKey }) > 0) void refresh(queryKey)
        }
      }),
    [],
  )
}

const freshMs = 2_000

/** Refetches the balance when a screen opens, unless it was just loaded. */
export function useFreshBalance(): void {
  useEffect(() => {
    const askedAtMs = queryClient.getQueryState(sharedKeys.me)?.dataUpdatedAt ?? 0
    if (deviceNowMs() - askedAtMs > freshMs) void refresh(sharedKeys.me, sharedKeys.config)
  }, [])
}
