/** The error of the form as a whole. The region is always rendered, so that a screen reader announces a new error. */
export function FormFailure({ message }: { readonly message: string | undefined }) {
  return (
    <div role="alert">
      {message !== undefined && (
        <p className="mb-4 rounded-s bg-down-soft px-3 py-2 text-sm font-medium text-down">{message}</p>
      )}
    </div>
  )
}
