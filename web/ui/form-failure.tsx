/** What went wrong with the form as a whole. The region is always there, so that its news is announced. */
export function FormFailure({ message }: { readonly message: string | undefined }) {
  return (
    <div role="alert">
      {message !== undefined && (
        <p className="mb-4 rounded-s bg-down-soft px-3 py-2 text-sm font-medium text-down">{message}</p>
      )}
    </div>
  )
}
