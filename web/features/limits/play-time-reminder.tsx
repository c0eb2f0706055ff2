import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLazyPart } from '#web/platform/lazy-part.ts'
import { limitsQuery } from './api.ts'
import { answerReminder, countPlayTime, isReminderDue } from './play-time.ts'

const loadDialog = () => import('./reminder-dialog.tsx')

/** Counts how long the app was visible since the sign-in, and shows the reminder at the player's interval. */
export function PlayTimeReminder() {
  const { data: limits } = useQuery(limitsQuery)
  const reminderMinutes = limits?.reminderMinutes ?? null
  /** The play time when the reminder opened; null while it is closed. */
  const [dueAtMs, setDueAtMs] = useState<number | null>(null)
  /** The current play time, which keeps growing while the reminder is open. */
  const playedMs = useRef(0)
  useEffect(
    () =>
      countPlayTime((playTime) => {
        playedMs.current = playTime.visibleMs
        if (isReminderDue(playTime, reminderMinutes)) setDueAtMs((shown) => shown ?? playTime.visibleMs)
      }),
    [reminderMinutes],
  )
  const { part: dialog } = useLazyPart(loadDialog, dueAtMs !== null)
  if (dueAtMs === null || dialog === undefined) return null
  const close = () => {
    answerReminder(playedMs.current)
    setDueAtMs(null)
  }
  return <dialog.ReminderDialog playedMs={dueAtMs} onClose={close} />
}
