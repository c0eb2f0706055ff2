import { useQuery } from '@tanstack/react-query'
import { failureText } from '#web/platform/http.ts'
import { useAct } from '#web/ui/use-act.ts'
import { Select } from '#web/ui/select.tsx'
import { toast } from '#web/ui/toast.tsx'
import { limitsQuery, useSaveLimits } from './api.ts'
import { limitsTexts } from './limits-texts.ts'
import { reminderMinutesOf, reminderOptions, reminderValue } from './reminder-options.ts'

/** A menu of the reminder's intervals. A choice is saved at once. */
export function ReminderChoice() {
  const limits = useQuery({ ...limitsQuery, refetchOnMount: 'always' })
  const save = useSaveLimits()
  const { start, isBusy, wish, failure } = useAct({
    failText: limitsTexts.failed,
    run: async (reminderMinutes: number | null) => {
      await save({ reminderMinutes })
      toast.success(limitsTexts.reminderSaved)
    },
  })
  const current = limits.data?.reminderMinutes ?? null
  return (
    <Select
      label={limitsTexts.reminder}
      hint={limitsTexts.reminderHint}
      error={failure ?? (limits.isError ? failureText(limits.error, limitsTexts.failed) : undefined)}
      disabled={limits.data === undefined}
      isOff={isBusy}
      value={reminderValue(wish === undefined ? current : wish)}
      options={reminderOptions(current)}
      onChange={(event) => start(reminderMinutesOf(event.target.value))}
    />
  )
}
