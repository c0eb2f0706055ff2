import { adminRequestTexts as texts } from './admin-request-texts.ts'
import { Field } from '#web/ui/field.tsx'

export type ReasonInputProps = {
  readonly value: string
  readonly maxLength: number
  readonly error: string | undefined
  readonly onChange: (text: string) => void
}

/** The reason of a rejection; the request's owner reads it. */
export function ReasonInput({ value, maxLength, error, onChange }: ReasonInputProps) {
  return (
    <Field label={texts.reasonLabel} hint={texts.reasonHint} error={error}>
      {(control) => (
        <textarea
          {...control}
          rows={3}
          required
          maxLength={maxLength}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          className="w-full resize-y rounded-s border border-control bg-surface px-3 py-2 text-base text-ink transition-colors focus:border-gold aria-invalid:border-down"
        />
      )}
    </Field>
  )
}
