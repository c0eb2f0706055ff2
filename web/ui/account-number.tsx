import { commonTexts } from '#web/platform/texts.ts'

/** Digits that stay readable. */
const shownDigits = 4

/** The end of an account number, which is all that is shown of it: `•••• 6789`. */
export function maskAccountNumber(accountNumber: string): string {
  return `•••• ${accountNumber.slice(-shownDigits)}`
}

/** An account number with all but its end covered: whoever looks over the shoulder learns nothing. */
export function AccountNumber({ accountNumber }: { readonly accountNumber: string }) {
  return (
    <span className="whitespace-nowrap tabular-nums">
      <span aria-hidden>{maskAccountNumber(accountNumber)}</span>
      <span className="sr-only">{commonTexts.accountEnding(accountNumber.slice(-shownDigits))}</span>
    </span>
  )
}
