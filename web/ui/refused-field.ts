import type { FieldValues, Path, UseFormSetError } from 'react-hook-form'
import { type ApiError, failureText, refusalOf } from '#web/platform/http.ts'

export type FieldByCode<Values extends FieldValues> = Readonly<Partial<Record<ApiError['code'], Path<Values>>>>

/** Shows a refusal at the field that `fieldByCode` names for its code. Returns false if it names no field. */
export function showAtField<Values extends FieldValues>(
  error: unknown,
  setError: UseFormSetError<Values>,
  fieldByCode: FieldByCode<Values>,
  failText: string,
): boolean {
  const code = refusalOf(error)?.code
  const field = code && fieldByCode[code]
  if (field === undefined) return false
  setError(field, { message: failureText(error, failText) }, { shouldFocus: true })
  return true
}
