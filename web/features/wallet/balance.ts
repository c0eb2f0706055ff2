import { useEffect } from 'react'
import { queryClient } from '#web/platform/query-client.ts'
import { sharedKeys } from '#web/platform/query-keys.ts'
import { deviceNowMs } from '#web/platform/server-time.ts'

/** Asks for whatever holds the balance again. */
export async function refreshBalance(): Promise<void> {
  await Promise.all([sharedKeys.me, sharedKeys.config].map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}

/** A balance younger than this was loaded for this screen and not for the one before. */
const freshMs = 2_000

/** For a screen that shows the balance: it is asked for on arrival, since what happened on other screens changed it. */
export function useFreshBalance(): void {
  useEffect(() => {
    const askedAtMs = queryClient.getQueryState(sharedKeys.me)?.dataUpdatedAt ?? 0
    if (deviceNowMs() - askedAtMs > freshMs) void refreshBalance()
  }, [])
}
