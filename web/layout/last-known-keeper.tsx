import { useEffect } from 'react'
import { formatAge, formatMinute } from '#web/platform/formats.ts'
import { keepLastKnown } from '#web/platform/last-known.ts'
import { reportLastKnown, useReach } from '#web/platform/online.ts'
import { queryClient } from '#web/platform/query-client.ts'
import { sharedKeys } from '#web/platform/query-keys.ts'
import { deviceNowMs } from '#web/platform/server-time.ts'
import { lastKnownTexts } from './last-known-texts.ts'

/** The age in the offline bar is written anew this often. */
const writeEveryMs = 15_000

/** Keeps what a player's screens know for a start without a server, and tells the offline bar how old it is. */
export function LastKnownKeeper() {
  useEffect(keepLastKnown, [])
  const isReachable = useReach() === 'reachable'
  useEffect(() => {
    if (isReachable) return
    const tell = () => {
      const atMs = queryClient.getQueryState(sharedKeys.me)?.dataUpdatedAt ?? 0
      const age = formatAge(deviceNowMs() - atMs)
      reportLastKnown(atMs === 0 ? null : lastKnownTexts.since(formatMinute(atMs), age))
    }
    tell()
    const timer = setInterval(tell, writeEveryMs)
    return () => clearInterval(timer)
  }, [isReachable])
  return null
}
