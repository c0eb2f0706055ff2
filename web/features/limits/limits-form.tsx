import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Controller, useForm, useWatch } from 'react-hook-form'
import type { PlayerLimits } from '#domain/game/limits.ts'
import { codeOf, failureText } from '#web/platform/http.ts'
import { limitsTexts } from './limits-texts.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { FormFailure } from '#web/ui/form-failure.tsx'
import { NumberInput } from '#web/ui/number-input.tsx'
import { Select } from '#web/ui/select.tsx'
import { toast } from '#web/ui/toast.tsx'
import { type Limits, limitsQuery, saveLimits } from './api.ts'
import { describeChange, digitsOf, limitOf, pendingWords, stateOf } from './limits-words.ts'
import { reminderMinutesOf, reminderOptions, reminderValue } from './reminder-options.ts'

/** Below 10^12 points, the largest balance (rules §3). */
const maxDigits = 12

type Fields = { readonly dailyStake: string; readonly dailyLoss: string; readonly reminder: string }

/** Daily limits and the reminder. The effect of saving is shown above the button (rules §6). */
export function LimitsForm({ limits }: { readonly limits: Limits }) {
  const queryClient = useQueryClient()
  const { control, handleSubmit, register, setError, formState } = useForm<Fields>({
    values: {
      dailyStake: digitsOf(limits.dailyStakeMinor),
      dailyLoss: digitsOf(limits.dailyLossMinor),
      reminder: reminderValue(limits.reminderMinutes),
    },
    // A refetch must not overwrite edited fields.
    resetOptions: { keepDirtyValues: true },
  })
  const { errors, dirtyFields, isDirty } = formState
  const saving = useMutation({
    mutationFn: saveLimits,
    onSuccess: (saved) => queryClient.setQueryData(limitsQuery.queryKey, saved),
  })

  // An untouched limit is sent unchanged, including its decimals.
  const wishOf = (fields: Fields): PlayerLimits => ({
    dailyStakeMinor: dirtyFields.dailyStake ? limitOf(fields.dailyStake) : limits.dailyStakeMinor,
    dailyLossMinor: dirtyFields.dailyLoss ? limitOf(fields.dailyLoss) : limits.dailyLossMinor,
    reminderMinutes: reminderMinutesOf(fields.reminder),
    timeoutUntilMs: limits.timeoutUntilMs,
  })
  const sentences = describeChange(stateOf(limits), wishOf(useWatch({ control }) as Fields), serverNowMs())

  const submit = handleSubmit(async (fields) => {
    try {
      await saving.mutateAsync(wishOf(fields))
    } catch (error) {
      const message = failureText(error, limitsTexts.failed)
      const code = codeOf<'setLimits'>(error)
      if (code === 'REMINDER_RANGE') setError('reminder', { message }, { shouldFocus: true })
      else if (code === 'LIMIT_RANGE') setError('dailyStake', { message }, { shouldFocus: true })
      else setError('root.server', { message })
      return
    }
    toast.success(limitsTexts.saved)
  })

  return (
    <Card aria-labelledby="daily">
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        <h2 id="daily" className="text-base font-semibold">
          {limitsTexts.daily}
        </h2>
        {limits.pending !== null && <Banner tone="info">{pendingWords(limits, limits.pending)}</Banner>}
        {(['dailyStake', 'dailyLoss'] as const).map((name) => (
          <Controller
            key={name}
            control={control}
            name={name}
            render={({ field }) => (
              <NumberInput
                {...field}
                label={limitsTexts[name]}
                hint={limitsTexts[`${name}Hint`]}
                unit={commonTexts.points}
                placeholder={limitsTexts.noLimit}
                maxDigits={maxDigits}
                error={errors[name]?.message}
              />
            )}
          />
        ))}
        <Select
          label={limitsTexts.reminder}
          hint={limitsTexts.reminderHint}
          error={errors.reminder?.message}
          options={reminderOptions(limits.reminderMinutes)}
          {...register('reminder')}
        />
        <div role="status" className="flex flex-col gap-1 text-sm text-ink-2">
          {(sentences.length > 0 ? sentences : [limitsTexts.rule]).map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </div>
        <div>
          <FormFailure message={errors.root?.['server']?.message} />
          <Button type="submit" isWide isBusy={saving.isPending} disabled={!isDirty}>
            {limitsTexts.save}
          </Button>
        </div>
      </form>
    </Card>
  )
}
