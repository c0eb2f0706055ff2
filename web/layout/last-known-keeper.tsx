import { notifyManager } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { dayAfter, dayOf, startOfDayMs } from '#domain/day.ts'
import { formatDate, formatMinute } from '#web/platform/formats.ts'
import { keepLastKnown } from '#web/platform/last-known.ts'
import { reportLastKnown, useReach } from '#web/platform/online.ts'
import { queryClient } from '#web/platform/query-client.ts'
import { sharedKeys } from '#web/platform/query-keys.ts'
import { toServerMs } from '#web/platform/server-time.ts'
import { useHasReached } from '#web/platform/ticker.ts'
import { lastKnownTexts } from './last-known-texts.ts'

const listen = (onChange: () => void) => queryClient.getQueryCache().subscribe(notifyManager.batchCalls(onChange))
const readAtMs = () => {
  const { data, dataUpdatedAt = 0 } = queryClient.getQueryState(sharedKeys.me) ?? {}
  return data === undefined ? null : toServerMs(dataUpdatedAt)
}

export function LastKnownKeeper() {
  useEffect(keepLastKnown, [])
  const isReachable = useReach() === 'reachable'
  const atMs = useSyncExternalStore(listen, readAtMs)
  const isOfDayBefore = useHasReached(atMs && startOfDayMs(dayAfter(dayOf(atMs))))
  useEffect(() => {
    if (isReachable) return
    if (atMs === null) return reportLastKnown(null)
    const day = isOfDayBefore ? ` ${formatDate(atMs).slice(0, 5)}` : ''
    reportLastKnown(lastKnownTexts.since(`${formatMinute(atMs)}${day}`))
  }, [isReachable, atMs, isOfDayBefore])
  return null
}
