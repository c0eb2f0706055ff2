import { adminRequestTexts as texts } from './admin-request-texts.ts'
import { TextArea } from '#web/ui/text-area.tsx'

export type ReasonInputProps = {
  readonly value: string
  readonly maxLength: number
  readonly error: string | undefined
  readonly onChange: (text: string) => void
}

/** The reason of a rejection; the request's owner reads it. */
export function ReasonInput({ value, maxLength, error, onChange }: ReasonInputProps) {
  return (
    <TextArea
      label={texts.reasonLabel}
      hint={texts.reasonHint}
      error={error}
      required
      maxLength={maxLength}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
