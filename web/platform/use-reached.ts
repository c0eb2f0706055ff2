import { useEffect, useState } from 'react'
import { onServerTimeChanged, serverNowMs } from './server-time.ts'

/** Whether the server's time has reached a moment; the caller is drawn again once, when it does. Null never comes. */
export function useHasReached(atMs: number | null): boolean {
  const [, draw] = useState(0)
  const hasReached = atMs !== null && serverNowMs() >= atMs
  useEffect(() => {
    if (atMs === null) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const wait = () => {
      clearTimeout(timer)
      const leftMs = atMs - serverNowMs()
      if (leftMs > 0) timer = setTimeout(wait, Math.min(leftMs + 1, 60_000))
      else draw((times) => times + 1)
    }
    wait()
    const stop = onServerTimeChanged(wait)
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [atMs])
  return hasReached
}
