import { failureText } from '#web/platform/http.ts'
import { toast } from './toast.tsx'

/** Always rendered, so that a screen reader announces a new error. */
export function FormFailure({ message }: { readonly message: string | undefined }) {
  return (
    <div role="alert">
      {message !== undefined && (
        <p className="mb-4 rounded-s bg-down-soft px-3 py-2 text-sm font-medium text-down">{message}</p>
      )}
    </div>
  )
}

/** For `onFailure` of an act without a place for its failure. */
export const toastFailure =
  (failText: string) =>
  (error: unknown): true => {
    toast.error(failureText(error, failText))
    return true
  }
