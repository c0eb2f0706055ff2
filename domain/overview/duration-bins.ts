/*
 * Durations are counted in bins, each 2 % wider than the one before. The sums of the counts of several days give the
 * median of these days, which cannot be computed from the medians of the single days. The first bin also has all
 * durations below 1 s.
 */

const FIRST_MS = 1_000
const WIDTH = Math.log(1.02)

export const durationBin = (ms: number): number => (ms <= FIRST_MS ? 0 : Math.round(Math.log(ms / FIRST_MS) / WIDTH))

export const msOfBin = (bin: number): number => Math.round(FIRST_MS * Math.exp(bin * WIDTH))

export type DurationSummary = Readonly<ReturnType<typeof summarizeBins>>

export function summarizeBins(counts: ReadonlyMap<number, number>) {
  const bins = [...counts].toSorted(([a], [b]) => a - b)
  const count = bins.reduce((sum, [, n]) => sum + n, 0)
  const atShare = (share: number): number | null => {
    let seen = 0
    for (const [bin, n] of bins) {
      seen += n
      if (seen >= Math.ceil(share * count)) return msOfBin(bin)
    }
    return null
  }
  return { count, medianMs: atShare(0.5), p90Ms: atShare(0.9) }
}
