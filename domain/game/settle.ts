import type { Tick } from '../market/tick.ts'
import type { Minor } from '../money.ts'
import { type Basis, type Direction, profitOf, type ScriptedOutcome, type VoidReason } from './bet.ts'
import type { RoundType } from './calendar.ts'

export type TickPrice = Omit<Tick, 'source'>

export interface SettlingRound {
  readonly type: RoundType
  readonly closesAtMs: number
  readonly staffDirection: Direction | null
  readonly isDeleted: boolean
}

export interface SettlingBet {
  readonly direction: Direction
  readonly stakeMinor: Minor
  readonly basis: Basis
  /** The basis that the player said they saw. If the bet's basis differs, the bet is settled by price (rules §1.2). */
  readonly seenBasis: Basis
  readonly scriptedOutcome: ScriptedOutcome | null
  readonly acceptedAtMs: number
}

export interface BetOutcome {
  readonly status: 'won' | 'lost' | 'voided'
  readonly voidReason: VoidReason | null
  readonly profitMinor: Minor
  readonly entry: TickPrice | null
  readonly exit: TickPrice | null
}

/**
 * Returns the first tick before the round's end whose quote is younger than the acceptance (rules §2.5); null if none.
 * @param tickAt returns the tick of a second, null when that second has no price
 */
export function entryTick(
  acceptedAtMs: number,
  closesAtMs: number,
  tickAt: (second: number) => TickPrice | null,
): TickPrice | null {
  for (let second = Math.floor(acceptedAtMs / 1000) + 1; second * 1000 < closesAtMs; second++) {
    const tick = tickAt(second)
    if (tick?.quoteAtMs != null && tick.price !== null && tick.quoteAtMs > acceptedAtMs) return tick
  }
  return null
}

export function outcomeByPrice(
  type: RoundType,
  bet: Pick<SettlingBet, 'direction' | 'stakeMinor'>,
  entryPrice: number,
  exitPrice: number,
): Pick<BetOutcome, 'status' | 'profitMinor'> {
  if (entryPrice === exitPrice) return { status: 'voided', profitMinor: 0n }
  const profitMinor = profitOf(type, bet.stakeMinor)
  return exitPrice > entryPrice === (bet.direction === 'up')
    ? { status: 'won', profitMinor }
    : { status: 'lost', profitMinor: -profitMinor }
}

export function decideSettlement(
  round: SettlingRound,
  bet: SettlingBet,
  tickAt: (second: number) => TickPrice | null,
): BetOutcome {
  if (round.isDeleted) return voided('ROUND_DELETED', null, null)
  const basis = bet.basis === bet.seenBasis ? bet.basis : 'PRICE'
  if (basis === 'SCRIPTED' && bet.scriptedOutcome !== null) return decided(round, bet, bet.scriptedOutcome === 'win')
  if (basis === 'ADMIN' && round.staffDirection !== null)
    return decided(round, bet, round.staffDirection === bet.direction)
  const entry = entryTick(bet.acceptedAtMs, round.closesAtMs, tickAt)
  const last = tickAt(round.closesAtMs / 1000)
  const exit = last !== null && last.price !== null ? last : null
  if (entry === null || entry.price === null || exit === null || exit.price === null)
    return voided('NO_TICK', entry, exit)
  const outcome = outcomeByPrice(round.type, bet, entry.price, exit.price)
  return { ...outcome, voidReason: outcome.status === 'voided' ? 'TIE' : null, entry, exit }
}

function decided(round: SettlingRound, bet: SettlingBet, hasWon: boolean): BetOutcome {
  const profit = profitOf(round.type, bet.stakeMinor)
  const profitMinor = hasWon ? profit : -profit
  return { status: hasWon ? 'won' : 'lost', voidReason: null, profitMinor, entry: null, exit: null }
}

const voided = (voidReason: VoidReason, entry: TickPrice | null, exit: TickPrice | null): BetOutcome => ({
  status: 'voided',
  voidReason,
  profitMinor: 0n,
  entry,
  exit,
})

/** Returns the result of a round without an announcement. PRICE bets are decided by their own prices (rules §2.6). */
export const resultByPrice = (openPrice: number | null, closePrice: number | null): Direction | null =>
  openPrice === null || closePrice === null || openPrice === closePrice ? null : closePrice > openPrice ? 'up' : 'down'
