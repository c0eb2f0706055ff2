import type { FieldValues, Path, UseFormSetError } from 'react-hook-form'
import { ApiError, failureText } from '#web/platform/http.ts'

/**
 * Shows a refusal at the field that its code concerns, which then gets the focus, else for the whole form.
 * @param fieldByCode maps a refusal to its field
 * @param fallback the sentence when the server sent none (spec §8)
 */
export function showRefusal<Values extends FieldValues>(
  error: unknown,
  setError: UseFormSetError<Values>,
  fieldByCode: Readonly<Partial<Record<ApiError['code'], Path<Values>>>>,
  fallback: string,
): void {
  const field = error instanceof ApiError ? fieldByCode[error.code] : undefined
  const message = failureText(error, fallback)
  if (field === undefined) setError('root.server', { message })
  else setError(field, { message }, { shouldFocus: true })
}
