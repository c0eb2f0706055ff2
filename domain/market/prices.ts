/** A gold price in integer thousandths of a dollar per ounce (rules §2.4), below 2^31. */
export type Price = number

export const PRICE_MAX = 2_147_483_647

const DECIMAL = /^([+-]?)(\d{1,40})(?:\.(\d{1,40}))?(?:[eE]([+-]?\d{1,3}))?$/
const INTEGER = /^[+-]?\d{1,40}$/

/**
 * Converts mantissa · 10^expo dollars to a price, rounded half away from zero (rules §2.4), without floating point.
 * @returns null if `expo` is beyond ±100, or if the price is zero after rounding, negative, or above PRICE_MAX
 */
export function priceFromScaled(mantissa: bigint, expo: number): Price | null {
  if (!Number.isInteger(expo) || Math.abs(expo) > 100 || mantissa <= 0n) return null
  const shift = expo + 3
  const thousandths = shift >= 0 ? mantissa * 10n ** BigInt(shift) : halfAway(mantissa, 10n ** BigInt(-shift))
  return thousandths > 0n && thousandths <= BigInt(PRICE_MAX) ? Number(thousandths) : null
}

const halfAway = (n: bigint, d: bigint): bigint => (2n * n + d) / (2n * d)

/** Converts a price of Pyth: `price` is an integer as text, `expo` a power of ten, which may vary (rules §5.2). */
export const priceFromPyth = (price: string, expo: number): Price | null =>
  INTEGER.test(price) ? priceFromScaled(BigInt(price), expo) : null

/** Returns the middle, rounded once, of two decimal texts such as "4012.3455" or "4e3"; null if either is no price. */
export function midPrice(bid: string, ask: string): Price | null {
  const [low, high] = [scaled(bid), scaled(ask)]
  if (low === null || high === null || low.mantissa <= 0n || high.mantissa <= 0n) return null
  const expo = Math.min(low.expo, high.expo)
  const sum = low.mantissa * 10n ** BigInt(low.expo - expo) + high.mantissa * 10n ** BigInt(high.expo - expo)
  return priceFromScaled(sum * 5n, expo - 1)
}

function scaled(text: string) {
  const match = DECIMAL.exec(text)
  if (match === null) return null
  const [, sign = '', whole = '', fraction = '', power = '0'] = match
  const digits = BigInt(whole + fraction)
  return { mantissa: sign === '-' ? -digits : digits, expo: Number(power) - fraction.length }
}
