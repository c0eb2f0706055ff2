import type { Direction } from './bet.ts'
import { type RoundType, STAFF_ACT_MIN_LEFT_MS } from './calendar.ts'

export const ROUND_STATUSES = ['running', 'settling', 'ended'] as const
export type RoundStatus = (typeof ROUND_STATUSES)[number]

/** A round as staff acts on it, read under its lock. */
export interface StaffRound {
  readonly type: RoundType
  readonly status: RoundStatus
  readonly isDeleted: boolean
  readonly closesAtMs: number
  readonly staffDirection: Direction | null
  /** True once the price at its end may be public, be it by a clock that was set back since (rules §2). */
  readonly isExitTold: boolean
}

export type StaffRoundRefusal = 'ROUND_NOT_FOUND' | 'ROUND_ENDED' | 'TOO_LATE' | 'RESULT_ALREADY_SET'

const isTooLate = (round: StaffRound, nowMs: number): boolean =>
  round.isExitTold || round.closesAtMs - nowMs < STAFF_ACT_MIN_LEFT_MS

/** Whether staff may announce a result now: once, while running and with at least 10 s left (rules §1.2). */
export function decideSetResult(round: StaffRound | null, nowMs: number): StaffRoundRefusal | null {
  if (round === null || round.isDeleted) return 'ROUND_NOT_FOUND'
  if (round.status !== 'running' || nowMs >= round.closesAtMs) return 'ROUND_ENDED'
  if (round.staffDirection !== null) return 'RESULT_ALREADY_SET'
  return isTooLate(round, nowMs) ? 'TOO_LATE' : null
}

/**
 * Whether staff may delete a round now: a running one with at least 10 s left has its bets voided at once, an ended
 * one is hidden from staff lists (rules §1.3, §2); one that settles right now has to end first.
 */
export function decideDeleteRound(
  round: StaffRound | null,
  nowMs: number,
):
  | { readonly ok: true; readonly act: 'void' | 'hide' }
  | { readonly ok: false; readonly refusal: 'ROUND_NOT_FOUND' | 'TOO_LATE' } {
  if (round === null || round.isDeleted) return { ok: false, refusal: 'ROUND_NOT_FOUND' }
  if (round.status === 'ended') return { ok: true, act: 'hide' }
  return round.status === 'running' && !isTooLate(round, nowMs)
    ? { ok: true, act: 'void' }
    : { ok: false, refusal: 'TOO_LATE' }
}
