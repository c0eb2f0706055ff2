import { createSignal } from './signal.ts'

/**
 * Estimates the server's time (rules §2.1) by one offset to the device's clock. The offset comes from the answer with
 * the shortest round trip among the last ten, because the error is at most half the round trip.
 */

const keptSamples = 10

/**
 * After a jump of more than this, the samples from before are dropped. Either the device's wall clock jumped against
 * its monotonic clock, or the offset jumped by more than the round trips explain (the server's clock was set).
 */
const clockJumpMs = 250

export type ServerTimeAnswer = {
  readonly serverTimeMs: number
  /** `Date.now()` when the request was sent and when the answer arrived. */
  readonly sentAtMs: number
  readonly receivedAtMs: number
}

/** The `Date` header is inexact (whole seconds, maybe a proxy's clock), so it corrects only errors larger than this. */
const plainlyWrongMs = 60_000

let samples: readonly { readonly offsetMs: number; readonly roundTripMs: number; readonly clockGapMs: number }[] = []
let offsetMs = 0
const changed = createSignal()

/** Adds a sample. Ignores an answer that arrived before its request was sent: the device's clock was set in between. */
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
  setOffset(best.offsetMs)
}

function setOffset(nextMs: number): void {
  if (nextMs === offsetMs) return
  offsetMs = nextMs
  changed.tell()
}

/**
 * Uses the `Date` header of an answer to correct an offset that is wrong by more than `plainlyWrongMs` (rules §2.1).
 * Does nothing if an answer with the server's exact time has arrived since the device's clock last jumped.
 */
export function recordServerDate({ serverTimeMs, sentAtMs, receivedAtMs }: ServerTimeAnswer): void {
  const clockGapMs = receivedAtMs - performance.now()
  if (samples.some((sample) => Math.abs(sample.clockGapMs - clockGapMs) <= clockJumpMs)) return
  const dateOffsetMs = serverTimeMs - (sentAtMs + receivedAtMs) / 2
  if (!(Math.abs(dateOffsetMs - offsetMs) > plainlyWrongMs)) return
  samples = []
  setOffset(dateOffsetMs)
}

/** Returns the device's time, which may be wrong. Compare it only with other times of this clock. */
export const deviceNowMs = (): number => Date.now()

/** Converts a time of the device's clock to the server's time. Until the first answer the two are the same. */
export const toServerMs = (deviceMs: number): number => deviceMs + offsetMs

export const serverNowMs = (): number => toServerMs(Date.now())

export const onServerTimeChanged = changed.listen

/** Resets this module between tests. */
export function resetServerTime(): void {
  samples = []
  offsetMs = 0
}
