import { decideFiling, type FilingRefusal, NOTHING_ELSE, type RequestKind } from '#domain/cashier/request.ts'
import { MINOR_PER_POINT, type Minor, points } from '#domain/money.ts'
import { cashRequestTexts } from './cashier-texts.ts'

/** The amount typed, in minor units; zero while nothing is. */
export const amountOf = (digits: string): Minor => (digits === '' ? 0n : points(BigInt(digits)))

/** The digits of the most that can be withdrawn: requests are for whole points. */
export const wholePoints = (balanceMinor: Minor): string => String(balanceMinor / MINOR_PER_POINT)

const sentences: Partial<Record<FilingRefusal, string>> = {
  AMOUNT_REQUIRED: cashRequestTexts.amountRequired,
  AMOUNT_LIMIT: cashRequestTexts.amountTooLarge,
  INSUFFICIENT_FUNDS: cashRequestTexts.balanceTooLow,
}

/** What is wrong with an amount by the rule that the server judges it by (spec §5), or null. */
export function amountProblem(kind: RequestKind, digits: string, balanceMinor: Minor): string | null {
  const refusal = decideFiling({
    kind,
    amountMinor: amountOf(digits),
    walletMinor: balanceMinor,
    // Whatever else may be wrong, the server alone can judge.
    soFar: NOTHING_ELSE,
    isStaff: false,
    bank: 'linked',
  })
  return refusal === null ? null : (sentences[refusal] ?? null)
}
