import { Button, type ButtonProps } from './button.tsx'

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
