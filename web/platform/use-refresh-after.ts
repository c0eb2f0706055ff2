import { useEffect } from 'react'
import { REFRESH_AFTER_COUNTDOWN_MS } from '#contract/limits.ts'
import { queryClient } from './query-client.ts'
import { onServerTimeChanged, serverNowMs } from './server-time.ts'

/**
 * Asks again 1 s after a countdown has ended (spec §4, §9).
 * @param endsAtMs the server's time at which it ends; null while there is none
 * @param queryKey what is asked again; a constant, or the same for the same text
 */
export function useRefreshAfter(endsAtMs: number | null, queryKey: readonly string[]): void {
  const key = queryKey.join('/')
  useEffect(() => {
    if (endsAtMs === null) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const schedule = () => {
      clearTimeout(timer)
      timer = setTimeout(
        () => void queryClient.invalidateQueries({ queryKey: key.split('/') }),
        Math.max(0, endsAtMs + REFRESH_AFTER_COUNTDOWN_MS - serverNowMs()),
      )
    }
    schedule()
    const stop = onServerTimeChanged(schedule)
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [endsAtMs, key])
}
