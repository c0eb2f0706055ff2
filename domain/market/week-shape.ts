export const WEEK_POINTS = 28

/**
 * Returns at most 28 of the prices, scaled from 0 (the lowest) to 100 (the highest). If all picked prices are equal,
 * each becomes 50. Empty for fewer than two prices.
 * @param prices evenly spaced, oldest first, of any unit
 */
export function weekShape(prices: readonly number[]): number[] {
  if (prices.length < 2) return []
  const count = Math.min(WEEK_POINTS, prices.length)
  const picked = Array.from(
    { length: count },
    (_, point) => prices[Math.round((point * (prices.length - 1)) / (count - 1))] ?? 0,
  )
  const lowest = Math.min(...picked)
  const range = Math.max(...picked) - lowest
  return picked.map((price) => (range === 0 ? 50 : Math.round(((price - lowest) / range) * 100)))
}
