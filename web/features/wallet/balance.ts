import { useEffect } from 'react'
import { queryClient } from '#web/platform/query-client.ts'
import { sharedKeys } from '#web/platform/query-keys.ts'

/** Asks for whatever holds the balance again. */
export async function refreshBalance(): Promise<void> {
  await Promise.all([sharedKeys.me, sharedKeys.config].map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}

/** For a screen that shows the balance: it is asked for on arrival, since what happened on other screens changed it. */
export function useFreshBalance(): void {
  useEffect(() => void refreshBalance(), [])
}
