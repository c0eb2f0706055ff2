/*
 * The spread of the house's result by chance alone, on a price that moves without memory (rules §6.13, decision 026).
 * The expected result is 0, because a win pays as much as a loss takes.
 */

export interface Exposure {
  readonly entrySecond: number
  readonly exitSecond: number
  /** The players' profit if the price rises, in minor units; negative if they would lose. */
  readonly upMinor: number
}

/**
 * Returns the variance of the house's result from the exposures, in minor units squared. The signs of two moves of a
 * normal random walk have the correlation (2/π)·asin(r), with r = shared time / √(length₁ · length₂)
 * (W. F. Sheppard, Philosophical Transactions A 192 (1899), pages 101–167). The variance has each pair twice, so the
 * factor is 4/π.
 */
export function varianceOf(exposures: readonly Exposure[]): number {
  const sorted = exposures.toSorted((a, b) => a.entrySecond - b.entrySecond)
  let variance = 0
  for (let i = 0; i < sorted.length; i++) {
    const one = sorted[i] as Exposure
    variance += one.upMinor * one.upMinor
    for (let j = i + 1; j < sorted.length; j++) {
      const other = sorted[j] as Exposure
      if (other.entrySecond >= one.exitSecond) break
      const shared = Math.min(one.exitSecond, other.exitSecond) - other.entrySecond
      if (shared <= 0) continue
      const lengths = (one.exitSecond - one.entrySecond) * (other.exitSecond - other.entrySecond)
      variance += (4 / Math.PI) * Math.asin(Math.min(1, shared / Math.sqrt(lengths))) * one.upMinor * other.upMinor
    }
  }
  return Math.max(0, variance)
}

/** Rounds of all types end together every 360 s, so bets of different blocks of this length share no price move. */
export const BLOCK_MS = 360_000
