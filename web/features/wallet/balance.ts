import { useEffect } from 'react'
import { queryClient, refresh } from '#web/platform/query-client.ts'
import { sharedKeys } from '#web/platform/query-keys.ts'
import { deviceNowMs } from '#web/platform/server-time.ts'
import { onServerEvent } from '#web/platform/socket.ts'

/** Refetches every query that contains the balance. */
export const refreshBalance = (): Promise<unknown> => refresh(sharedKeys.me, sharedKeys.config)

type WithBalance = { readonly balanceMinor: bigint }

/**
 * Writes each balance that the socket names into everything that is cached, so that every screen shows it at once. Once
 * for the page, in the guarded area.
 */
export function useBalanceEvents(): void {
  useEffect(
    () =>
      onServerEvent('balance_changed', ({ balanceMinor }) => {
        for (const queryKey of [sharedKeys.me, sharedKeys.config]) {
          queryClient.setQueriesData<WithBalance>({ queryKey }, (old) => old && { ...old, balanceMinor })
          // An answer under way may be older than the event.
          if (queryClient.isFetching({ queryKey }) > 0) void refresh(queryKey)
        }
      }),
    [],
  )
}

/** A balance younger than this was loaded for this screen and not for the previous one. */
const freshMs = 2_000

/** For a screen that shows the balance: refetches it when the screen opens, since other screens may have changed it. */
export function useFreshBalance(): void {
  useEffect(() => {
    const askedAtMs = queryClient.getQueryState(sharedKeys.me)?.dataUpdatedAt ?? 0
    if (deviceNowMs() - askedAtMs > freshMs) void refreshBalance()
  }, [])
}
