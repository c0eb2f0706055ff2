import { type Day, dayOf } from '../day.ts'

export const ROUND_TYPES = ['30s', '60s', '90s', '120s'] as const
export type RoundType = (typeof ROUND_TYPES)[number]

export const DURATION_S: Readonly<Record<RoundType, number>> = { '30s': 30, '60s': 60, '90s': 90, '120s': 120 }

export const RATE_PERCENT: Readonly<Record<RoundType, number>> = { '30s': 5, '60s': 7, '90s': 9, '120s': 12 }

/** Rounds are counted from this instant, 2026-01-01T00:00:00Z in Unix ms (rules §2.2). */
export const EPOCH_MS = 1_767_225_600_000
export const FIRST_DAY: Day = dayOf(EPOCH_MS)

/** Betting closes this long before a round's end, longer in live rounds, whose quotes arrive late (rules §2.3). */
export const LOCK_BEFORE_END_MS = 1_000
export const LOCK_BEFORE_END_LIVE_MS = 3_000

/** If less is left of a round, staff may not act on it, and a missing round is not created (rules §2.2, §2.9). */
export const STAFF_ACT_MIN_LEFT_MS = 10_000

export interface RoundWindow {
  readonly type: RoundType
  readonly index: number
  readonly roundNumber: number
  readonly opensAtMs: number
  readonly closesAtMs: number
}

export function windowAt(type: RoundType, index: number): RoundWindow {
  const lengthMs = DURATION_S[type] * 1000
  const opensAtMs = EPOCH_MS + index * lengthMs
  return { type, index, roundNumber: index + 1, opensAtMs, closesAtMs: opensAtMs + lengthMs }
}

export const windowOf = (type: RoundType, nowMs: number): RoundWindow =>
  windowAt(type, Math.floor((nowMs - EPOCH_MS) / (DURATION_S[type] * 1000)))

export const locksAtMs = (closesAtMs: number, isLive: boolean): number =>
  closesAtMs - (isLive ? LOCK_BEFORE_END_LIVE_MS : LOCK_BEFORE_END_MS)
