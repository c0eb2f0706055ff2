import { type Decision, refuse } from '../decision.ts'
import { BALANCE_MAX_MINOR, type Minor, MINOR_PER_POINT, percentOf, points } from '../money.ts'
import { RATE_PERCENT, type RoundType } from './calendar.ts'

export const DIRECTIONS = ['up', 'down'] as const
export type Direction = (typeof DIRECTIONS)[number]

/** The basis of a bet: the price, a result that staff set, or the script of a demonstration account (rules §1.2). */
export const BASES = ['PRICE', 'ADMIN', 'SCRIPTED'] as const
export type Basis = (typeof BASES)[number]

export type ScriptedOutcome = 'win' | 'lose'

export const BET_STATUSES = ['open', 'won', 'lost', 'voided'] as const
export type BetStatus = (typeof BET_STATUSES)[number]

export const VOID_REASONS = ['TIE', 'NO_TICK', 'ROUND_DELETED'] as const
export type VoidReason = (typeof VOID_REASONS)[number]

/** Stake limits (rules §3.1) and preset stakes (spec §9.1), in whole points. */
export const STAKE_MIN_POINTS = 1
export const STAKE_MAX_POINTS = 100_000
export const PRESET_STAKES = [10, 20, 50, 100, 1000, 2000, 5000, 10_000] as const

export const profitOf = (type: RoundType, stakeMinor: Minor): Minor => percentOf(stakeMinor, RATE_PERCENT[type])

/** Returns the basis that would decide a bet placed now. Precedence: SCRIPTED, then ADMIN, then PRICE (rules §1.2). */
export const basisNow = (scripted: ScriptedOutcome | null, staffDirection: Direction | null): Basis =>
  scripted !== null ? 'SCRIPTED' : staffDirection !== null ? 'ADMIN' : 'PRICE'

export const BET_REFUSALS = [
  'STAFF_CANNOT_PLAY',
  'ROUND_NOT_FOUND',
  'ROUND_CLOSING',
  'FEED_CLOSED',
  'CLOCK_UNSURE',
  'STAKE_INVALID',
  'AMOUNT_LIMIT',
  'BET_OPEN',
  'INSUFFICIENT_BALANCE',
  'DISCLOSURE_CHANGED',
  'TIMED_OUT',
  'STAKE_LIMIT',
  'LOSS_LIMIT',
] as const
export type BetRefusal = (typeof BET_REFUSALS)[number] | 'ACCOUNT_PAUSED'

export interface BettableRound {
  readonly id: string
  readonly type: RoundType
  readonly isRunning: boolean
  readonly isDeleted: boolean
  readonly opensAtMs: number
  readonly locksAtMs: number
  readonly closesAtMs: number
  readonly staffDirection: Direction | null
  readonly isFeedOpen: boolean
  /**
   * True if the source has a tick at or after the bet's earliest entry second, so that the entry price may already be
   * public (rules §2.1).
   */
  readonly isEntryTold: boolean
}

export interface BettingPlayer {
  readonly isStaff: boolean
  readonly isFrozen: boolean
  readonly scriptedOutcome: ScriptedOutcome | null
  readonly walletMinor: Minor
  /** Above zero only while the player has an open bet (rules §3.3). */
  readonly stakedMinor: Minor
  /** Pending deposits count against the balance limit (rules §3.1). Pending withdrawals block no bet (rules §3.2). */
  readonly pendingDepositsMinor: Minor
  readonly limits: BettingLimits | null
}

export interface BettingLimits {
  readonly dailyStakeMinor: Minor | null
  readonly dailyLossMinor: Minor | null
  readonly timeoutUntilMs: number | null
  readonly stakedTodayMinor: Minor
  readonly netLossTodayMinor: Minor
}

export interface BetWish {
  readonly round: BettableRound | null
  readonly player: BettingPlayer
  readonly stakeMinor: Minor
  readonly direction: Direction
  readonly seenBasis: Basis
  /** On the server, the database's time after all locks are held: the time of acceptance (rules §3.9). */
  readonly nowMs: number
}

export type BetDecision = Decision<
  { basis: Basis; scriptedOutcome: ScriptedOutcome | null; entryFromSecond: number; profitMinor: Minor },
  BetRefusal
>

export function checkStake(stakeMinor: Minor): 'STAKE_INVALID' | 'AMOUNT_LIMIT' | null {
  if (stakeMinor <= 0n || stakeMinor % MINOR_PER_POINT !== 0n) return 'STAKE_INVALID'
  if (stakeMinor < points(STAKE_MIN_POINTS) || stakeMinor > points(STAKE_MAX_POINTS)) return 'AMOUNT_LIMIT'
  return null
}

/** Accepts a bet, or returns the first refusal that applies (spec §5.2, rules §1.2, §2.3, §3.2, §6.6). */
export function decidePlaceBet(wish: BetWish): BetDecision {
  const { round, player, nowMs, stakeMinor } = wish
  if (player.isStaff) return refuse('STAFF_CANNOT_PLAY')
  if (player.isFrozen) return refuse('ACCOUNT_PAUSED')
  if (round === null || round.isDeleted || nowMs < round.opensAtMs) return refuse('ROUND_NOT_FOUND')
  if (!round.isRunning || nowMs >= round.locksAtMs) return refuse('ROUND_CLOSING')
  if (!round.isFeedOpen) return refuse('FEED_CLOSED')
  if (round.isEntryTold) return refuse('CLOCK_UNSURE')
  const badStake = checkStake(stakeMinor)
  if (badStake !== null) return refuse(badStake)
  if (player.stakedMinor > 0n) return refuse('BET_OPEN')
  if (player.walletMinor < stakeMinor) return refuse('INSUFFICIENT_BALANCE')
  const profitMinor = profitOf(round.type, stakeMinor)
  if (player.walletMinor + player.pendingDepositsMinor + profitMinor > BALANCE_MAX_MINOR) return refuse('AMOUNT_LIMIT')
  const limit = player.limits === null ? null : checkLimits(player.limits, stakeMinor, profitMinor, nowMs)
  if (limit !== null) return refuse(limit)
  const basis = basisNow(player.scriptedOutcome, round.staffDirection)
  if (basis !== wish.seenBasis) return refuse('DISCLOSURE_CHANGED')
  return {
    ok: true,
    basis,
    scriptedOutcome: basis === 'SCRIPTED' ? player.scriptedOutcome : null,
    entryFromSecond: Math.floor(nowMs / 1000) + 1,
    profitMinor,
  }
}

function checkLimits(limits: BettingLimits, stakeMinor: Minor, profitMinor: Minor, nowMs: number): BetRefusal | null {
  if (limits.timeoutUntilMs !== null && nowMs < limits.timeoutUntilMs) return 'TIMED_OUT'
  if (limits.dailyStakeMinor !== null && limits.stakedTodayMinor + stakeMinor > limits.dailyStakeMinor)
    return 'STAKE_LIMIT'
  if (limits.dailyLossMinor !== null && limits.netLossTodayMinor + profitMinor > limits.dailyLossMinor)
    return 'LOSS_LIMIT'
  return null
}
