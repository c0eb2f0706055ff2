import { Controller, useWatch } from 'react-hook-form'
import type { PlayerLimits } from '#domain/game/limits.ts'
import { limitsTexts } from './limits-texts.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Card } from '#web/ui/card.tsx'
import { FormEnd } from '#web/ui/form-failure.tsx'
import { NumberInput } from '#web/ui/number-input.tsx'
import { Select } from '#web/ui/select.tsx'
import { useActForm } from '#web/ui/use-act-form.ts'
import { toast } from '#web/ui/toast.tsx'
import { type Limits, stateOf, useSaveLimits } from './api.ts'
import { describeChange, digitsOf, limitOf, limitProblem, pendingWords } from './limits-words.ts'
import { reminderMinutesOf, reminderOptions, reminderValue } from './reminder-options.ts'

type Fields = { readonly dailyStake: string; readonly dailyLoss: string; readonly reminder: string }

const fieldsOf = (limits: Limits): Fields => ({
  dailyStake: digitsOf(limits.dailyStakeMinor),
  dailyLoss: digitsOf(limits.dailyLossMinor),
  reminder: reminderValue(limits.reminderMinutes),
})

/** Manages the form's fields. `wish` has the limits that the form would save now. */
function useLimitsForm(limits: Limits) {
  const save = useSaveLimits()
  const form = useActForm<Fields, Fields, Limits>({
    values: fieldsOf(limits),
    // A refetch must not overwrite edited fields.
    resetOptions: { keepDirtyValues: true },
    fieldByCode: { REMINDER_RANGE: 'reminder', LIMIT_RANGE: 'dailyStake' },
    failText: limitsTexts.failed,
    run: (fields) => save(changesOf(fields)),
    onDone: (saved) => {
      // Saved fields must no longer count as edited, or they would be sent with the next change.
      form.reset(fieldsOf(saved), { keepDirtyValues: false })
      toast.success(limitsTexts.saved)
    },
  })
  const { dirtyFields } = form.formState
  // An untouched limit is left out, so that it keeps its decimals, which the form does not show.
  const changesOf = ({ dailyStake, dailyLoss, reminder }: Fields): Partial<PlayerLimits> => ({
    ...(dirtyFields.dailyStake && { dailyStakeMinor: limitOf(dailyStake, limits.dailyStakeMinor) }),
    ...(dirtyFields.dailyLoss && { dailyLossMinor: limitOf(dailyLoss, limits.dailyLossMinor) }),
    ...(dirtyFields.reminder && { reminderMinutes: reminderMinutesOf(reminder) }),
  })
  const changes = changesOf(useWatch({ control: form.control }) as Fields)
  return { ...form, wish: { ...stateOf(limits).limits, ...changes } }
}

/** The form of the limits. A text above the button describes the effect of saving (rules §6.6). */
export function LimitsForm({ limits }: { readonly limits: Limits }) {
  const { control, register, errors, isBusy, failure, submit, formState, wish } = useLimitsForm(limits)
  const sentences = describeChange(stateOf(limits), wish, serverNowMs())
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
            rules={{ validate: limitProblem }}
            render={({ field }) => (
              <NumberInput
                {...field}
                label={limitsTexts[name]}
                hint={limitsTexts[`${name}Hint`]}
                unit={commonTexts.points}
                placeholder={limitsTexts.noLimit}
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
        <FormEnd failure={failure} isBusy={isBusy} isOff={!formState.isDirty}>
          {limitsTexts.save}
        </FormEnd>
      </form>
    </Card>
  )
}
