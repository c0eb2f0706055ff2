/** Digits in an input that shows them with thousands apart: what was typed, and where the caret belongs after. */

/** `1234567` → `1,234,567`; '' stays ''. */
export const groupDigits = (digits: string): string => digits.replace(/\B(?=(\d{3})+$)/g, ',')

const digitsOf = (text: string): string => text.replace(/\D/g, '')

export type Typed = {
  readonly digits: string
  /** How many digits stand before the caret. */
  readonly caret: number
}

/**
 * @param before the digits until now
 * @param shown what the input holds after the key or the paste; whatever is no digit is dropped
 * @param caret the caret in `shown`
 * @param isForward whether Delete was pressed, and not Backspace
 */
export function readTyped(before: string, shown: string, caret: number, isForward: boolean): Typed {
  let digits = digitsOf(shown)
  let position = digitsOf(shown.slice(0, caret)).length
  if (digits === before && shown.length < groupDigits(before).length) {
    // Only a separator went: the digit beside it was meant.
    const at = isForward ? position : position - 1
    digits = digits.slice(0, Math.max(0, at)) + digits.slice(at + 1)
    if (!isForward) position = Math.max(0, position - 1)
  }
  const zeros = /^0+(?=\d)/.exec(digits)?.[0].length ?? 0
  return { digits: digits.slice(zeros), caret: Math.max(0, position - zeros) }
}

/** Where in the grouped text the caret stands that has so many digits before it. */
export function caretIn(grouped: string, digitsBefore: number): number {
  let at = 0
  for (let seen = 0; seen < digitsBefore && at < grouped.length; at += 1) if (grouped[at] !== ',') seen += 1
  return at
}
