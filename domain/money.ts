/**
 * Money is an integer count of minor units: 1 point = 100 (rules §3). It is never computed in floating point. Here, the
 * API's JSON number is read and written as its shortest decimal text, which is exact up to the limit of 10^12 points.
 */
export type Minor = bigint

export const MINOR_PER_POINT = 100n

export const points = (whole: number | bigint): Minor => BigInt(whole) * MINOR_PER_POINT

/** The highest balance that a filing, a bet or an edit may lead to. Settlement never checks this limit (rules §3). */
export const BALANCE_MAX_MINOR: Minor = points(1_000_000_000_000n)

/** Reads a number of points with at most 2 decimals; null for anything else, such as NaN or an exponent. */
export function minorFromNumber(value: number): Minor | null {
  const match = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(String(value))
  if (match === null) return null
  const [, sign, whole, fraction = ''] = match
  const minor = BigInt(whole + fraction.padEnd(2, '0'))
  return sign === '-' ? -minor : minor
}

export function minorToText(minor: Minor): string {
  const digits = (minor < 0n ? -minor : minor).toString().padStart(3, '0')
  return `${minor < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

export const minorToNumber = (minor: Minor): number => Number(minorToText(minor))

/**
 * Returns a whole per cent of a whole number of points, exact in minor units (rules §3).
 * @throws RangeError when the amount is not whole points: an amount is never rounded silently
 */
export function percentOf(amountMinor: Minor, percent: number): Minor {
  if (amountMinor % MINOR_PER_POINT !== 0n) throw new RangeError('A rate applies to whole points only.')
  return (amountMinor / MINOR_PER_POINT) * BigInt(percent)
}
