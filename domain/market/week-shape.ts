export const WEEK_POINTS = 28

/**
 * Returns the course of a week as small whole numbers, for a chart line of a few pixels without a scale.
 * @param prices evenly spaced, oldest first, of any unit
 * @returns at most 28 values from 0, the lowest price, to 100, the highest, with the newest price last; all 50 if the
 * price never moved; empty for fewer than two prices
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
