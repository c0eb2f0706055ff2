import {
  decideFiling,
  type FilingRefusal,
  NOTHING_ELSE,
  REQUEST_MIN_POINTS,
  type RequestKind,
} from '#domain/cashier/request.ts'
import { type Minor, points } from '#domain/money.ts'
import { minorTyped, readNumber } from '#domain/typed-number.ts'
import { numberProblems } from '#web/ui/typed-texts.ts'
import { cashRequestTexts } from './cashier-texts.ts'

/** The value of the amount field after a press on "Rút hết" (withdraw all). */
export const everything = 'all'

/** Returns minor units: the typed number (0 if the text is no number), or the whole balance after "Rút hết". */
export const amountOf = (value: string, balanceMinor: Minor): Minor =>
  value === everything ? balanceMinor : (minorTyped(value, 'whole') ?? 0n)

const sentences: Partial<Record<FilingRefusal, string>> = {
  AMOUNT_REQUIRED: cashRequestTexts.amountRequired,
  AMOUNT_LIMIT: cashRequestTexts.amountTooLarge,
  INSUFFICIENT_FUNDS: cashRequestTexts.balanceTooLow,
}

const unreadable = { empty: cashRequestTexts.amountRequired, large: cashRequestTexts.amountTooLarge }

/** Returns what is wrong with the amount, by the server's rule `decideFiling`; null if nothing is wrong. */
export function amountProblem(kind: RequestKind, value: string, balanceMinor: Minor): string | null {
  const typed = value === everything ? null : readNumber(value, 'whole')
  if (typed?.ok === false) return { ...numberProblems, ...unreadable }[typed.problem]
  const refusal = decideFiling({
    kind,
    amountMinor: amountOf(value, balanceMinor),
    walletMinor: balanceMinor,
    // Only the server knows the player's other requests and stakes, so it alone checks the limits that concern them.
    soFar: NOTHING_ELSE,
    isStaff: false,
    bank: 'linked',
  })
  // A typed amount is a whole number of points, so an amount between 0 and one point can only come from "Rút hết".
  if (refusal === 'AMOUNT_LIMIT' && value === everything && balanceMinor < points(REQUEST_MIN_POINTS))
    return cashRequestTexts.balanceBelowLeast
  return refusal === null ? null : (sentences[refusal] ?? null)
}
