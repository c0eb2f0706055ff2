export const WAITS_MIN = 10

/**
 * Returns how long a player usually waits for customer care: the median.
 * @param waitsMs from a player's message to the first reply after it, or until now if nobody has replied
 * @returns null for fewer than `WAITS_MIN` waits
 */
export function usualWaitMs(waitsMs: readonly number[]): number | null {
  if (waitsMs.length < WAITS_MIN) return null
  const sorted = waitsMs.toSorted((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)] ?? 0
  const lower = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0
  return Math.round((lower + upper) / 2)
}
