import { type Decision, refuse } from '../decision.ts'
import { type Minor, points } from '../money.ts'
import { type BettingLimits, profitOf, STAKE_MIN_POINTS } from './bet.ts'
import { ROUND_TYPES } from './calendar.ts'

/** A player's own limits; null means no limit (rules §6.6). */
export interface PlayerLimits {
  readonly dailyStakeMinor: Minor | null
  readonly dailyLossMinor: Minor | null
  readonly reminderMinutes: number | null
  readonly timeoutUntilMs: number | null
}

export interface PendingRaise extends Pick<PlayerLimits, 'dailyStakeMinor' | 'dailyLossMinor'> {
  readonly takesEffectAtMs: number
}

export interface LimitsState {
  readonly limits: PlayerLimits
  readonly pending: PendingRaise | null
}

export const NO_LIMITS: LimitsState = {
  limits: { dailyStakeMinor: null, dailyLossMinor: null, reminderMinutes: null, timeoutUntilMs: null },
  pending: null,
}

const HOUR_MS = 3_600_000
/** A raise takes effect this much later, so that nobody raises a limit on an impulse (rules §6.6). */
export const RAISE_AFTER_MS = 24 * HOUR_MS
export const TIMEOUT_MIN_MS = HOUR_MS
export const TIMEOUT_MAX_MS = 6 * 7 * 24 * HOUR_MS
export const REMINDER_MIN_MINUTES = 5
export const REMINDER_MAX_MINUTES = 24 * 60

type LimitsRefusal = 'TIMEOUT_RANGE' | 'TIMEOUT_CANNOT_SHRINK' | 'REMINDER_RANGE' | 'LIMIT_RANGE'

export function limitsAt(state: LimitsState, nowMs: number): LimitsState {
  const { pending, limits } = state
  if (pending === null || nowMs < pending.takesEffectAtMs) return state
  const { dailyStakeMinor, dailyLossMinor } = pending
  return { limits: { ...limits, dailyStakeMinor, dailyLossMinor }, pending: null }
}

const DAILY = ['dailyStakeMinor', 'dailyLossMinor'] as const

const isRaise = (current: Minor | null, wished: Minor | null): boolean =>
  current !== null && (wished === null || wished > current)

/** Decides a change of limits: a lower daily limit holds at once, a higher one after `RAISE_AFTER_MS` (rules §6.6). */
export function decideLimits(
  before: LimitsState,
  wish: PlayerLimits,
  nowMs: number,
): Decision<{ state: LimitsState }, LimitsRefusal> {
  const { limits, pending } = limitsAt(before, nowMs)
  const { dailyStakeMinor, dailyLossMinor, reminderMinutes } = wish
  if (DAILY.some((name) => (wish[name] ?? 0n) < 0n)) return refuse('LIMIT_RANGE')
  if (reminderMinutes !== null && (reminderMinutes < REMINDER_MIN_MINUTES || reminderMinutes > REMINDER_MAX_MINUTES))
    return refuse('REMINDER_RANGE')
  const running = limits.timeoutUntilMs !== null && limits.timeoutUntilMs > nowMs ? limits.timeoutUntilMs : null
  const timeoutUntilMs = wish.timeoutUntilMs !== null && wish.timeoutUntilMs > nowMs ? wish.timeoutUntilMs : null
  if (running !== null && (timeoutUntilMs === null || timeoutUntilMs < running)) return refuse('TIMEOUT_CANNOT_SHRINK')
  if (timeoutUntilMs !== null && timeoutUntilMs !== running) {
    const lengthMs = timeoutUntilMs - nowMs
    // The client counts the length from the moment of the click, so up to a minute of network delay is tolerated.
    if (lengthMs < TIMEOUT_MIN_MS - 60_000 || lengthMs > TIMEOUT_MAX_MS + 60_000) return refuse('TIMEOUT_RANGE')
  }

  const raised = DAILY.filter((name) => isRaise(limits[name], wish[name]))
  const lowered = DAILY.filter((name) => wish[name] !== limits[name] && !raised.includes(name))
  const now = { dailyStakeMinor, dailyLossMinor, reminderMinutes, timeoutUntilMs }
  for (const name of raised) now[name] = limits[name]
  const isSamePending = pending !== null && DAILY.every((name) => pending[name] === wish[name])
  const raise = isSamePending ? pending : { dailyStakeMinor, dailyLossMinor, takesEffectAtMs: nowMs + RAISE_AFTER_MS }
  const later = raised.length > 0 ? raise : lowered.length > 0 ? null : pending
  return { ok: true, state: { limits: now, pending: later } }
}

export function limitsReached(used: BettingLimits): ReadonlySet<'stake' | 'loss'> {
  const { dailyStakeMinor, dailyLossMinor, stakedTodayMinor, netLossTodayMinor } = used
  const smallest = points(STAKE_MIN_POINTS)
  const reached = new Set<'stake' | 'loss'>()
  if (dailyStakeMinor !== null && stakedTodayMinor + smallest > dailyStakeMinor) reached.add('stake')
  const leastLoss = (type: (typeof ROUND_TYPES)[number]) => netLossTodayMinor + profitOf(type, smallest)
  if (dailyLossMinor !== null && ROUND_TYPES.every((type) => leastLoss(type) > dailyLossMinor)) reached.add('loss')
  return reached
}

export const newlyReached = (before: BettingLimits, after: BettingLimits): Array<'stake' | 'loss'> => {
  const already = limitsReached(before)
  return [...limitsReached(after)].filter((limit) => !already.has(limit))
}
