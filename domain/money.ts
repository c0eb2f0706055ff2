/** An amount in integer minor units, 100 to a point (rules §3.1). */
export type Minor = bigint

export const MINOR_PER_POINT = 100n

export const points = (whole: number | bigint): Minor => BigInt(whole) * MINOR_PER_POINT

/** The limit of a balance. Settlement does not check it, so a won bet may lead to a higher balance (rules §3.1). */
export const BALANCE_MAX_MINOR: Minor = points(1_000_000_000_000n)

/** Reads a number of points with at most 2 decimals; null for any other number. */
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

/** Returns a whole per cent of whole points, exactly (rules §3.2). Throws a RangeError for an amount with decimals. */
export function percentOf(amountMinor: Minor, percent: number): Minor {
  if (amountMinor % MINOR_PER_POINT !== 0n) throw new RangeError('A rate applies to whole points only.')
  return (amountMinor / MINOR_PER_POINT) * BigInt(percent)
}
