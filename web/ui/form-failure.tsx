import { failureText } from '#web/platform/http.ts'
import { Button, type ButtonProps } from './button.tsx'
import { toast } from './toast.tsx'

/** Shows a form's failure. The alert element is always there, so that a screen reader announces a new message in it. */
export function FormFailure({ message }: { readonly message: string | undefined }) {
  return (
    <div role="alert">
      {message !== undefined && (
        <p className="mb-4 rounded-s bg-down-soft px-3 py-2 text-sm font-medium text-down">{message}</p>
      )}
    </div>
  )
}

export type FormEndProps = Pick<ButtonProps, 'isBusy' | 'isOff' | 'children'> & {
  readonly failure: string | undefined
}

export const FormEnd = ({ failure, ...button }: FormEndProps) => (
  <div>
    <FormFailure message={failure} />
    <Button type="submit" isWide {...button} />
  </div>
)

/** Returns an `onFailure` that shows a toast, for an act whose failure has no other place on the screen. */
export const toastFailure =
  (failText: string) =>
  (error: unknown): true => {
    toast.error(failureText(error, failText))
    return true
  }

/** Wraps `run`: if it fails after the user has left the form, a toast shows the failure, since the form cannot. */
export const toldWhenLeft =
  <Input, Answer>(run: (input: Input, signal: AbortSignal) => Promise<Answer>, failText: string) =>
  async (input: Input, signal: AbortSignal): Promise<Answer> => {
    try {
      return await run(input, signal)
    } catch (error) {
      if (signal.aborted) toastFailure(failText)(error)
      throw error
    }
  }
