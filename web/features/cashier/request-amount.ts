import { decideFiling, type FilingRefusal, NOTHING_ELSE, type RequestKind } from '#domain/cashier/request.ts'
import { MINOR_PER_POINT, type Minor, points } from '#domain/money.ts'
import { cashRequestTexts } from './cashier-texts.ts'

/** The typed amount, in minor units; zero for an empty field. */
export const amountOf = (digits: string): Minor => (digits === '' ? 0n : points(BigInt(digits)))

/** The digits of the largest possible withdrawal: requests are for whole points. */
export const wholePoints = (balanceMinor: Minor): string => String(balanceMinor / MINOR_PER_POINT)

const sentences: Partial<Record<FilingRefusal, string>> = {
  AMOUNT_REQUIRED: cashRequestTexts.amountRequired,
  AMOUNT_LIMIT: cashRequestTexts.amountTooLarge,
  INSUFFICIENT_FUNDS: cashRequestTexts.balanceTooLow,
}

/** The problem with an amount, by the rule that the server applies (spec §5), or null. */
export function amountProblem(kind: RequestKind, digits: string, balanceMinor: Minor): string | null {
  const refusal = decideFiling({
    kind,
    amountMinor: amountOf(digits),
    walletMinor: balanceMinor,
    // Only the server can judge the other limits.
    soFar: NOTHING_ELSE,
    isStaff: false,
    bank: 'linked',
  })
  return refusal === null ? null : (sentences[refusal] ?? null)
}
