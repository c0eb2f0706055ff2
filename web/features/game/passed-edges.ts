import { useCallback, useSyncExternalStore } from 'react'
import { onServerTimeChanged, serverNowMs } from '#web/platform/server-time.ts'

/**
 * How many of these instants (the server's time, ascending) have passed. The component renders again when one passes
 * and not in between.
 */
export function usePassedEdges(edgesMs: readonly number[]): number {
  const key = edgesMs.join()
  const subscribe = useCallback(
    (listener: () => void) => {
      const edges = key === '' ? [] : key.split(',').map(Number)
      let timer: ReturnType<typeof setTimeout> | undefined
      const schedule = () => {
        clearTimeout(timer)
        const nowMs = serverNowMs()
        const next = edges.find((edge) => edge > nowMs)
        if (next !== undefined) timer = setTimeout(look, Math.max(1, next - nowMs))
      }
      const look = () => {
        listener()
        schedule()
      }
      schedule()
      const stopClock = onServerTimeChanged(look)
      // A hidden tab's timers are slow; what it missed is caught up with when it is shown.
      document.addEventListener('visibilitychange', look)
      return () => {
        clearTimeout(timer)
        stopClock()
        document.removeEventListener('visibilitychange', look)
      }
    },
    [key],
  )
  return useSyncExternalStore(subscribe, () => {
    const nowMs = serverNowMs()
    return edgesMs.filter((edge) => edge <= nowMs).length
  })
}
