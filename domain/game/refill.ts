import { type Decision, refuse } from '../decision.ts'
import { type Minor, points } from '../money.ts'
import type { BettingLimits } from './bet.ts'
import { limitsReached } from './limits.ts'

export const REFILL_BELOW_MINOR: Minor = points(10)

export type RefillRefusal = 'STAFF_CANNOT_PLAY' | 'REFILL_NOT_YET' | 'REFILL_TAKEN' | 'TIMED_OUT' | 'LOSS_LIMIT_REACHED'

export interface RefillWish {
  readonly isStaff: boolean
  readonly totalMinor: Minor
  readonly welcomeMinor: Minor
  readonly wasRefilledToday: boolean
  readonly limits: BettingLimits | null
  readonly nowMs: number
}

/** Decides whether a player may fill up to the welcome points, and by how much (rules §3.7). */
export function decideRefill({ limits, nowMs, ...wish }: RefillWish): Decision<{ amountMinor: Minor }, RefillRefusal> {
  if (wish.isStaff) return refuse('STAFF_CANNOT_PLAY')
  if (limits !== null && limits.timeoutUntilMs !== null && nowMs < limits.timeoutUntilMs) return refuse('TIMED_OUT')
  if (limits !== null && limitsReached(limits).has('loss')) return refuse('LOSS_LIMIT_REACHED')
  const amountMinor = wish.welcomeMinor - wish.totalMinor
  if (wish.totalMinor >= REFILL_BELOW_MINOR || amountMinor <= 0n) return refuse('REFILL_NOT_YET')
  if (wish.wasRefilledToday) return refuse('REFILL_TAKEN')
  return { ok: true, amountMinor }
}
