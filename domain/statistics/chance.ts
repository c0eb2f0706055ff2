/* The results that chance alone makes likely, if each won or lost bet is a toss of a fair coin (rules §6.8). */

export interface ShareRange {
  readonly low: number
  readonly high: number
}

export const Z = 1.959963984540054

/**
 * Returns the Wilson score interval at 95 %; null without a decided bet. E. B. Wilson, "Probable inference, the law of
 * succession, and statistical inference", Journal of the American Statistical Association 22 (1927), pages 209–212.
 */
export function wilsonInterval(won: number, decided: number): ShareRange | null {
  if (decided === 0) return null
  const share = won / decided
  const z2 = Z * Z
  const middle = share + z2 / (2 * decided)
  const half = Z * Math.sqrt((share * (1 - share)) / decided + z2 / (4 * decided * decided))
  const scale = 1 + z2 / decided
  return {
    low: won === 0 ? 0 : Math.max(0, (middle - half) / scale),
    high: won === decided ? 1 : Math.min(1, (middle + half) / scale),
  }
}

/**
 * Returns the narrowest band around one half, as shares of heads, that holds at least 95 % of all series of `tosses` of
 * a fair coin, by the binomial distribution. Null without a toss.
 */
export function fairCoinBand(tosses: number): ShareRange | null {
  if (tosses === 0) return null
  // Weights relative to the most likely count of heads, from this count downwards. Higher counts mirror them.
  const low = Math.floor(tosses / 2)
  const weights: number[] = []
  for (let heads = low, weight = 1; heads >= 0 && weight > 1e-20; heads--) {
    weights.push(weight)
    weight *= heads / (tosses - heads + 1)
  }
  const isOdd = tosses % 2 === 1
  const both = (weight: number, at: number) => (at === 0 && !isOdd ? weight : 2 * weight)
  const total = weights.reduce((sum, weight, at) => sum + both(weight, at), 0)
  let held = 0
  let at = 0
  for (; at < weights.length; at++) {
    held += both(weights[at] ?? 0, at)
    if (held >= 0.95 * total) break
  }
  const heads = low - Math.min(at, weights.length - 1)
  return { low: heads / tosses, high: (tosses - heads) / tosses }
}

/**
 * Computes how long the longest run of heads in `tosses` of a fair coin is. The share P(n) of series of n tosses that
 * have no run of k heads is P(n − 1) − P(n − k − 1) / 2^(k + 1). The same holds for tails. M. F. Schilling, "The
 * longest run of heads", The College Mathematics Journal 21 (1990), pages 196–207.
 * @returns `expected`: the mean over all series; `low`, `high`: the longest run lies between these in 95 % of all series
 */
export function longestRunByChance(tosses: number) {
  let expected = 0
  let low: number | null = null
  let high: number | null = null
  for (let length = 0; length <= tosses; length++) {
    const shorter = shareWithoutRun(tosses, length + 1)
    if (low === null && shorter >= 0.025) low = length
    if (high === null && shorter >= 0.975) high = length
    expected += 1 - shorter
    if (1 - shorter < 1e-12) break
  }
  return { expected, low: low ?? tosses, high: high ?? tosses }
}

function shareWithoutRun(tosses: number, length: number): number {
  if (tosses < length) return 1
  const factor = 2 ** -(length + 1)
  // `ring` holds the share P(n) for the last `length` + 1 values of n. A run of `length` heads needs `length` tosses,
  // so P(n) is 1 for fewer tosses.
  const ring = new Float64Array(length + 1).fill(1)
  let share = 1 - 2 ** -length
  ring[length % (length + 1)] = share
  for (let n = length + 1; n <= tosses; n++) {
    share -= (ring[n % (length + 1)] ?? 0) * factor
    ring[n % (length + 1)] = share
  }
  return share
}
