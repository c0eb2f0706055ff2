import { notifyManager } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { dayAfter, dayOf, startOfDayMs } from '#domain/day.ts'
import { formatDate, formatMinute } from '#web/platform/formats.ts'
import { keepLastKnown } from '#web/platform/last-known.ts'
import { reportLastKnown, useReach } from '#web/platform/online.ts'
import { queryClient } from '#web/platform/query-client.ts'
import { sharedKeys } from '#web/platform/query-keys.ts'
import { useHasReached } from '#web/platform/ticker.ts'
import { lastKnownTexts } from './last-known-texts.ts'

const listen = (onChange: () => void) => queryClient.getQueryCache().subscribe(notifyManager.batchCalls(onChange))
const readAtMs = () => queryClient.getQueryState(sharedKeys.me)?.dataUpdatedAt ?? 0

export function LastKnownKeeper() {
  useEffect(keepLastKnown, [])
  const isReachable = useReach() === 'reachable'
  const atMs = useSyncExternalStore(listen, readAtMs)
  const isOfDayBefore = useHasReached(startOfDayMs(dayAfter(dayOf(atMs))))
  useEffect(() => {
    if (isReachable) return
    const at = isOfDayBefore ? `${formatMinute(atMs)} ${formatDate(atMs).slice(0, 5)}` : formatMinute(atMs)
    reportLastKnown(atMs === 0 ? null : lastKnownTexts.since(at))
  }, [isReachable, atMs, isOfDayBefore])
  return null
}
