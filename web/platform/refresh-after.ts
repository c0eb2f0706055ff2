import { useEffect } from 'react'
import { REFRESH_AFTER_COUNTDOWN_MS } from '#contract/limits.ts'
import { refresh } from './query-client.ts'
import { useHasReached } from './ticker.ts'

/** A bulk act makes the server send many events. All events within this time cause only one refetch. */
const gatherMs = 250

/** Calls `refetch` 250 ms after the first event that `hear` was told. `stop` drops a call that is still to come. */
export function gathered(refetch: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const hear = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      refetch()
    }, gatherMs)
  }
  return { hear, stop: () => clearTimeout(timer) }
}

/** Refetches a query 1 s after its countdown ends (spec §4.4, §9.1), or at once if that moment has already passed. */
export function useRefreshAfter(endsAtMs: number | null, queryKey: readonly string[]): void {
  const isDue = useHasReached(endsAtMs === null ? null : endsAtMs + REFRESH_AFTER_COUNTDOWN_MS)
  const endedAtMs = isDue ? endsAtMs : null
  const key = queryKey.join('/')
  useEffect(() => {
    if (endedAtMs !== null) void refresh(key.split('/'))
  }, [endedAtMs, key])
}
