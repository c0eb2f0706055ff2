import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { dutyQuery, noteActive } from './duty-api.ts'

/** Minimum time between two reports. After 15 minutes without a report or chat act, an admin is away (rules §7.13). */
const everyMs = 60_000
const signs = ['pointerdown', 'pointermove', 'keydown'] as const

/** While the admin is on duty, reports to the server that the admin uses the back office. */
export function DutyActivity() {
  const client = useQueryClient()
  const isOnDuty = useQuery(dutyQuery).data?.isOnDuty === true
  useEffect(() => {
    if (!isOnDuty) return
    let notedAtMs = Number.NEGATIVE_INFINITY
    const note = () => {
      if (performance.now() - notedAtMs < everyMs) return
      notedAtMs = performance.now()
      const before = client.getQueryData(dutyQuery.queryKey)
      noteActive().then(
        // If the admin set the duty during this call, even by the click that caused the call, the answer is outdated.
        (duty) => client.setQueryData(dutyQuery.queryKey, (now) => (now === before ? duty : now)),
        // A failure needs no handling, since later activity reports again.
        () => {},
      )
    }
    const off = new AbortController()
    for (const sign of signs) addEventListener(sign, note, { passive: true, signal: off.signal })
    return () => off.abort()
  }, [client, isOnDuty])
  return null
}
