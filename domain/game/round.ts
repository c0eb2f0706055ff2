import { type Decision, refuse } from '../decision.ts'
import type { Direction } from './bet.ts'
import { type RoundType, STAFF_ACT_MIN_LEFT_MS } from './calendar.ts'

export const ROUND_STATUSES = ['running', 'settling', 'ended'] as const
export type RoundStatus = (typeof ROUND_STATUSES)[number]

export interface StaffRound {
  readonly type: RoundType
  readonly status: RoundStatus
  readonly isDeleted: boolean
  readonly closesAtMs: number
  readonly staffDirection: Direction | null
  /** True once the tick at the round's end is stored, so that its price may be public. */
  readonly isExitTold: boolean
}

type StaffRoundRefusal = 'ROUND_NOT_FOUND' | 'ROUND_ENDED' | 'TOO_LATE' | 'RESULT_ALREADY_SET'

const isTooLate = (round: StaffRound, nowMs: number): boolean =>
  round.isExitTold || round.closesAtMs - nowMs < STAFF_ACT_MIN_LEFT_MS

/** Decides whether staff may announce a result: once, while the round runs and has 10 s left (rules §1.2). */
export function decideSetResult(round: StaffRound | null, nowMs: number): StaffRoundRefusal | null {
  if (round === null || round.isDeleted) return 'ROUND_NOT_FOUND'
  if (round.status !== 'running' || nowMs >= round.closesAtMs) return 'ROUND_ENDED'
  if (round.staffDirection !== null) return 'RESULT_ALREADY_SET'
  return isTooLate(round, nowMs) ? 'TOO_LATE' : null
}

/**
 * Decides whether staff may delete a round (rules §1.3, §2.9). `void`: the round is running, and its bets are voided.
 * `hide`: the round has ended, and is hidden from staff's lists.
 */
export function decideDeleteRound(
  round: StaffRound | null,
  nowMs: number,
): Decision<{ act: 'void' | 'hide' }, 'ROUND_NOT_FOUND' | 'TOO_LATE'> {
  if (round === null || round.isDeleted) return refuse('ROUND_NOT_FOUND')
  if (round.status === 'ended') return { ok: true, act: 'hide' }
  return round.status === 'running' && !isTooLate(round, nowMs) ? { ok: true, act: 'void' } : refuse('TOO_LATE')
}
