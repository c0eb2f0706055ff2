import { midnightBeforeMs } from '../day.ts'

export const PUSH_KINDS = ['request-decided', 'care-replied', 'points-adjusted'] as const
export type PushKind = (typeof PUSH_KINDS)[number]

/** Minutes of the day in Vietnam, 0 to 1439. If `fromMinute` is after `toMinute`, the quiet hours include midnight. */
export interface QuietHours {
  readonly fromMinute: number
  readonly toMinute: number
}

export interface PushPreferences {
  readonly kinds: Readonly<Record<PushKind, boolean>>
  readonly quiet: QuietHours | null
  readonly mayOffer: boolean
}

export const DEFAULT_PREFERENCES: PushPreferences = {
  kinds: { 'request-decided': true, 'care-replied': true, 'points-adjusted': true },
  quiet: { fromMinute: 22 * 60, toMinute: 7 * 60 },
  mayOffer: true,
}

export const decidePreferences = ({ quiet }: PushPreferences): 'QUIET_HOURS_EMPTY' | null =>
  quiet !== null && quiet.fromMinute === quiet.toMinute ? 'QUIET_HOURS_EMPTY' : null

const MINUTE_MS = 60_000
const DAY_MS = 1440 * MINUTE_MS

export function quietUntilMs(quiet: QuietHours | null, nowMs: number): number | null {
  if (quiet === null) return null
  const sinceMs = (nowMs - midnightBeforeMs(nowMs) - quiet.fromMinute * MINUTE_MS + DAY_MS) % DAY_MS
  const lengthMs = ((quiet.toMinute - quiet.fromMinute + 1440) % 1440) * MINUTE_MS
  return sinceMs < lengthMs ? nowMs - sinceMs + lengthMs : null
}

export const PUSH_ATTEMPTS = 6
const FIRST_RETRY_MS = 10_000
const LONGEST_RETRY_MS = 3_600_000

/**
 * Returns the wait before the next attempt, in ms; null when no further attempt is made (rules §6.9).
 * @param attempts how many attempts have failed
 * @param wishedMs the wait that the push service asked for
 */
export function pushRetryMs(attempts: number, wishedMs: number | null): number | null {
  if (attempts >= PUSH_ATTEMPTS) return null
  const ownMs = FIRST_RETRY_MS * 4 ** (attempts - 1)
  return Math.min(LONGEST_RETRY_MS, Math.max(ownMs, wishedMs ?? 0))
}
