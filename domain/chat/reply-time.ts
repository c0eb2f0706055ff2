export const WAITS_MIN = 10

/** Returns the median of the waits for a reply; null for fewer than `WAITS_MIN` waits (rules §7.10). */
export function usualWaitMs(waitsMs: readonly number[]): number | null {
  if (waitsMs.length < WAITS_MIN) return null
  const sorted = waitsMs.toSorted((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)] ?? 0
  const lower = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0
  return Math.round((lower + upper) / 2)
}
