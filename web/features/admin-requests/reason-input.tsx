import { REASON_MAX } from '#domain/cashier/request.ts'
import { adminRequestTexts as texts } from './admin-request-texts.ts'
import { required } from '#web/ui/use-prompt.ts'
import { TextArea, type TextAreaProps } from '#web/ui/text-area.tsx'

export const reasonProblem = required(texts.reasonRequired)

export function ReasonInput(field: Omit<TextAreaProps, 'label'>) {
  return <TextArea {...field} label={texts.reasonLabel} hint={texts.reasonHint} required maxLength={REASON_MAX} />
}
