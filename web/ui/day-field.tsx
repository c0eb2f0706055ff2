import { type ChangeEvent, useState } from 'react'
import { type Day, dayAfter, dayOf, isDay, startOfDayMs } from '#domain/day.ts'
import { formatDate } from '#web/platform/formats.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { controlClass, Field } from './field.tsx'
import { dayOutside } from './typed-texts.ts'
import { useDraft } from './use-draft.ts'

export type DayChoice = {
  readonly text: string
  readonly onChange: (day: Day) => void
  /** The first day that can be chosen; the last day is tomorrow (rules §6.1). */
  readonly first: Day
}

/** The draft of an incomplete date. The browser's control reports '' for it, which would stand for an empty field. */
const partial = ' '

/**
 * A draft of a day. `onChange` gets a complete day within the bounds, or '' for an empty field (rules §6.1). While the
 * day is incomplete or out of bounds, `onChange` is not called.
 */
export function useDay({ text, onChange, first }: DayChoice) {
  const last = dayAfter(dayOf(serverNowMs()))
  const read = (typed: string) => (typed === '' || (isDay(typed) && typed >= first && typed <= last) ? typed : null)
  const { draft, setDraft, leave } = useDraft(text, onChange, read)
  const [isTyping, setIsTyping] = useState(false)
  const input = {
    type: 'date',
    value: draft === partial ? '' : draft,
    // No `min`: if both bounds are in one year, Chromium locks the year, and digits typed as a year go to the month.
    max: last,
    onChange: ({ currentTarget: { value, validity } }: ChangeEvent<HTMLInputElement>) => {
      setIsTyping(true)
      setDraft(validity.badInput ? partial : value)
    },
    onBlur: () => {
      setIsTyping(false)
      leave()
    },
  } as const
  // A year below 1000 is still being typed.
  const isOutside = read(draft) === null && (!isTyping || draft >= '1000')
  const problem = isOutside ? dayOutside(formatDate(startOfDayMs(first)), formatDate(startOfDayMs(last))) : undefined
  return { input, problem }
}

export type DayFieldProps = DayChoice & {
  readonly label: string
  readonly error?: string | undefined
}

export function DayField({ label, error, ...choice }: DayFieldProps) {
  const { input, problem } = useDay(choice)
  return (
    <Field label={label} error={problem ?? error}>
      {(control) => <input {...input} {...control} className={controlClass} />}
    </Field>
  )
}
