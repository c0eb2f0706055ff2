import { controlTexts } from '#web/ui/control-texts.ts'

/** The number of digits that stay visible. */
const shownDigits = 4

/** The visible end of an account number: `•••• 6789`. */
export function maskAccountNumber(accountNumber: string): string {
  return `•••• ${accountNumber.slice(-shownDigits)}`
}

/** An account number with all digits but the last ones hidden from a bystander. */
export function AccountNumber({ accountNumber }: { readonly accountNumber: string }) {
  return (
    <span translate="no" className="whitespace-nowrap tabular-nums">
      <span aria-hidden>{maskAccountNumber(accountNumber)}</span>
      <span className="sr-only">{controlTexts.accountEnding(accountNumber.slice(-shownDigits))}</span>
    </span>
  )
}
