import type { SubmitEvent } from 'react'
import { type FieldErrors, type FieldValues, useForm, type UseFormProps, type UseFormReturn } from 'react-hook-form'
import { type ActOptions, useAct } from '#web/ui/use-act.ts'
import { type FieldByCode, showAtField } from './refused-field.ts'

export type ActFormOptions<Values extends FieldValues, Sent, Answer> = Omit<
  ActOptions<Sent, Answer>,
  'failText' | 'isToasted' | 'onSettled'
> &
  UseFormProps<Values, unknown, Sent> & {
    readonly failText: string
    readonly fieldByCode?: FieldByCode<Values>
  }

export type ActForm<Values extends FieldValues, Sent> = UseFormReturn<Values, unknown, Sent> & {
  readonly errors: FieldErrors<Values>
  readonly isBusy: boolean
  readonly failure: string | undefined
  readonly submit: (event: SubmitEvent<HTMLFormElement>) => void
}

export function useActForm<Values extends FieldValues, Sent = Values, Answer = unknown>({
  run,
  failText,
  onDone,
  onFailure,
  fieldByCode = {},
  ...options
}: ActFormOptions<Values, Sent, Answer>): ActForm<Values, Sent> {
  const form = useForm<Values, unknown, Sent>(options)
  const { errors } = form.formState
  const { start, forget, isBusy, failure } = useAct<Sent, Answer>({
    run,
    failText,
    onDone,
    onFailure: (error, sent) =>
      onFailure?.(error, sent) === true || showAtField(error, form.setError, fieldByCode, failText),
  })
  const send = form.handleSubmit((values) => start(values))
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    if (!isBusy) forget()
    void send(event)
  }
  return { ...form, errors, isBusy, failure, submit }
}
