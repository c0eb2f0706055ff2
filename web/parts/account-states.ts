import type { StaffUser } from '#contract/staff-users.ts'
import { accountStateTexts as texts } from './account-states-texts.ts'
import type { BadgeTone } from '#web/ui/badge.tsx'

export function statesOf(user: StaffUser): ReadonlyArray<{ readonly label: string; readonly tone: BadgeTone }> {
  const states: { label: string; tone: BadgeTone }[] = []
  if (user.deletedAtMs !== null) states.push({ label: texts.deleted, tone: 'neutral' })
  if (user.isFrozen) states.push({ label: texts.frozen, tone: 'down' })
  if (user.scriptedOutcome !== null)
    states.push({ label: user.scriptedOutcome === 'win' ? texts.autoWin : texts.autoLose, tone: 'warn' })
  if (user.mustChangePassword) states.push({ label: texts.mustChange, tone: 'info' })
  return states.length > 0 ? states : [{ label: texts.active, tone: 'up' }]
}
