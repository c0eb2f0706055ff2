import { controlTexts } from '#web/ui/control-texts.ts'

const shownDigits = 4

/** Masks all digits of an account number but the last four: `•••• 6789`. */
export const maskAccountNumber = (accountNumber: string): string => `•••• ${accountNumber.slice(-shownDigits)}`

export function AccountNumber({ accountNumber }: { readonly accountNumber: string }) {
  return (
    <span translate="no" className="whitespace-nowrap tabular-nums">
      <span aria-hidden>{maskAccountNumber(accountNumber)}</span>
      <span className="sr-only">{controlTexts.accountEnding(accountNumber.slice(-shownDigits))}</span>
    </span>
  )
}
