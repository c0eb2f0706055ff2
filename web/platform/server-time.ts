/**
 * The server's time in the browser (rules §2: "Answers carry `serverTime`; the client's countdown follows it").
 *
 * One offset for the whole page: server time minus this device's clock, taken from the answer with the least round
 * trip among the last ten, since the shorter the trip the less the two can disagree.
 */

/** How many answers are compared. */
const keptSamples = 10

/**
 * A shift beyond this voids the older samples: of this device's wall clock against its monotonic one (it was set, or
 * slept), or of the server's time beyond what the two trips explain (it was set).
 */
const clockJumpMs = 250

type Sample = { readonly offsetMs: number; readonly roundTripMs: number; readonly clockGapMs: number }

export type ServerTimeAnswer = {
  /** The server's time in the answer, ms since the epoch. */
  readonly serverTimeMs: number
  /** `Date.now()` when the request left. */
  readonly sentAtMs: number
  /** `Date.now()` when the answer arrived. */
  readonly receivedAtMs: number
}

let samples: readonly Sample[] = []
let offsetMs = 0
const listeners = new Set<() => void>()

/** Takes one answer into account. Answers that ran backwards (the clock was set in between) are ignored. */
export function recordServerTime({ serverTimeMs, sentAtMs, receivedAtMs }: ServerTimeAnswer): void {
  const roundTripMs = receivedAtMs - sentAtMs
  if (!Number.isFinite(serverTimeMs) || roundTripMs < 0) return
  const clockGapMs = receivedAtMs - performance.now()
  const sample = { offsetMs: serverTimeMs - (sentAtMs + roundTripMs / 2), roundTripMs, clockGapMs }
  const comparable = samples.filter(
    (earlier) =>
      Math.abs(earlier.clockGapMs - clockGapMs) <= clockJumpMs &&
      Math.abs(earlier.offsetMs - sample.offsetMs) <= (earlier.roundTripMs + roundTripMs) / 2 + clockJumpMs,
  )
  samples = [...comparable, sample].slice(-keptSamples)
  const best = samples.reduce((least, one) => (one.roundTripMs < least.roundTripMs ? one : least))
  if (best.offsetMs === offsetMs) return
  offsetMs = best.offsetMs
  for (const listener of listeners) listener()
}

/** What this device's clock says, right or wrong: to compare with other stamps of the same clock only. */
export function deviceNowMs(): number {
  return Date.now()
}

/** The server's time now, ms since the epoch; this device's own until the first answer. */
export function serverNowMs(): number {
  return Date.now() + offsetMs
}

/** Calls back when the offset changed, for what was scheduled by the old one. Returns the function that stops it. */
export function onServerTimeChanged(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Forgets every sample: for tests, and for a page that turns to another server. */
export function resetServerTime(): void {
  samples = []
  offsetMs = 0
}
