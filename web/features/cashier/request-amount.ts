import { decideFiling, type FilingRefusal, NOTHING_ELSE, type RequestKind } from '#domain/cashier/request.ts'
import { type Minor, points } from '#domain/money.ts'
import { cashRequestTexts } from './cashier-texts.ts'

/** The value of the amount's field after "Rút hết". */
export const everything = 'all'

/** The field's amount, in minor units: what was typed, zero for an empty field, or the whole balance. */
export const amountOf = (value: string, balanceMinor: Minor): Minor =>
  value === everything ? balanceMinor : value === '' ? 0n : points(BigInt(value))

const sentences: Partial<Record<FilingRefusal, string>> = {
  AMOUNT_REQUIRED: cashRequestTexts.amountRequired,
  AMOUNT_LIMIT: cashRequestTexts.amountTooLarge,
  INSUFFICIENT_FUNDS: cashRequestTexts.balanceTooLow,
}

/** The problem with an amount, by the rule that the server applies (spec §5), or null. */
export function amountProblem(kind: RequestKind, value: string, balanceMinor: Minor): string | null {
  const refusal = decideFiling({
    kind,
    amountMinor: amountOf(value, balanceMinor),
    walletMinor: balanceMinor,
    // Only the server can judge the other limits.
    soFar: NOTHING_ELSE,
    isStaff: false,
    bank: 'linked',
  })
  return refusal === null ? null : (sentences[refusal] ?? null)
}
