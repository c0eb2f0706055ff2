import { useEffect } from 'react'
import { REFRESH_AFTER_COUNTDOWN_MS } from '#contract/limits.ts'
import { refresh } from './query-client.ts'
import { useHasReached } from './ticker.ts'

/** Refetches a query 1 s after its countdown ends (spec §4.4, §9.1), or at once if that moment has already passed. */
export function useRefreshAfter(endsAtMs: number | null, queryKey: readonly string[]): void {
  const isDue = useHasReached(endsAtMs === null ? null : endsAtMs + REFRESH_AFTER_COUNTDOWN_MS)
  const endedAtMs = isDue ? endsAtMs : null
  const key = queryKey.join('/')
  useEffect(() => {
    if (endedAtMs !== null) void refresh(key.split('/'))
  }, [endedAtMs, key])
}
