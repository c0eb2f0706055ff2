import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { failureText } from '#web/platform/http.ts'
import { Select } from '#web/ui/select.tsx'
import { toast } from '#web/ui/toast.tsx'
import { limitsQuery, saveLimits } from './api.ts'
import { limitsTexts } from './limits-texts.ts'
import { stateOf } from './limits-words.ts'
import { reminderMinutesOf, reminderOptions, reminderValue } from './reminder-options.ts'

/** The reminder alone, saved as soon as it is chosen. */
export function ReminderChoice() {
  const queryClient = useQueryClient()
  const limits = useQuery({ ...limitsQuery, refetchOnMount: 'always' })
  const saving = useMutation({
    mutationFn: async (reminderMinutes: number | null) => {
      // All limits are sent together: the others as they are now, and not as this page last saw them.
      const current = await queryClient.query({ ...limitsQuery, staleTime: 0 })
      return saveLimits({ ...stateOf(current).limits, reminderMinutes })
    },
    onSuccess: (saved) => {
      queryClient.setQueryData(limitsQuery.queryKey, saved)
      toast.success(limitsTexts.reminderSaved)
    },
  })
  const current = limits.data?.reminderMinutes ?? null
  return (
    <Select
      label={limitsTexts.reminder}
      hint={limitsTexts.reminderHint}
      error={
        saving.isError
          ? failureText(saving.error, limitsTexts.failed)
          : limits.isError
            ? failureText(limits.error, limitsTexts.failed)
            : undefined
      }
      disabled={limits.data === undefined || saving.isPending}
      value={saving.isPending ? reminderValue(saving.variables) : reminderValue(current)}
      options={reminderOptions(current)}
      onChange={(event) => saving.mutate(reminderMinutesOf(event.target.value))}
    />
  )
}
