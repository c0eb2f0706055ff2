import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { dutyQuery, noteActive } from './duty-api.ts'

/** As long as the server takes one for present, many times over (docs/rules.md §7.13). */
const everyMs = 60_000
const signs = ['pointerdown', 'pointermove', 'keydown'] as const

/** While one is on duty, whatever one does in the back office says, at most once a minute, that one is there. */
export function DutyActivity() {
  const client = useQueryClient()
  const isOnDuty = useQuery(dutyQuery).data?.isOnDuty === true
  useEffect(() => {
    if (!isOnDuty) return
    let notedAtMs = Number.NEGATIVE_INFINITY
    const note = () => {
      if (performance.now() - notedAtMs < everyMs) return
      notedAtMs = performance.now()
      noteActive().then(
        (duty) => client.setQueryData(dutyQuery.queryKey, duty),
        // The next minute tries again.
        () => {},
      )
    }
    for (const sign of signs) addEventListener(sign, note, { passive: true })
    return () => {
      for (const sign of signs) removeEventListener(sign, note)
    }
  }, [client, isOnDuty])
  return null
}
