import type { Basis, BetStatus } from '../game/bet.ts'
import { ROUND_TYPES, type RoundType } from '../game/calendar.ts'
import type { Minor } from '../money.ts'

/** Two bets belong to one sitting if the second starts at most this many ms after the end of the first (rules §6.8). */
export const SITTING_GAP_MS = 600_000

export type DecidedOutcome = 'won' | 'lost'

export interface EndedBet {
  readonly type: RoundType
  readonly basis: Basis
  readonly status: Exclude<BetStatus, 'open'>
  readonly stakeMinor: Minor
  readonly profitMinor: Minor
  readonly acceptedAtMs: number
  readonly endedAtMs: number
}

export const NO_TOTALS = { won: 0, lost: 0, voided: 0, stakedMinor: 0n, netMinor: 0n }
export type Totals = Readonly<typeof NO_TOTALS>

export const NO_STAKES = { bets: 0, stakedMinor: 0n }
export type Stakes = Readonly<typeof NO_STAKES>

export interface Run {
  readonly outcome: DecidedOutcome
  readonly length: number
}

/**
 * The figures of a stretch, that is, of consecutive bets of one player, with all that `joinPlay` needs. Only bets that
 * the price decided are counted; `leftOut` is the number of the others (rules §6.8).
 */
export interface Play {
  readonly byType: ReadonlyMap<RoundType, Totals>
  readonly leftOut: number
  /**
   * Stakes up to and including the first won or lost bet. The last result before the stretch decides whether `joinPlay`
   * adds them to `afterWin` or to `afterLoss`.
   */
  readonly lead: Stakes
  readonly afterWin: Stakes
  readonly afterLoss: Stakes
  readonly decided: number
  readonly firstRun: Run | null
  readonly lastRun: Run | null
  readonly longestWins: number
  readonly longestLosses: number
  /** Sum of the times from each bet's acceptance to its end, and of the gaps between the bets of a sitting. */
  readonly playedMs: number
  readonly firstAtMs: number | null
  readonly lastEndMs: number | null
}

export const NO_PLAY: Play = {
  byType: new Map(),
  leftOut: 0,
  lead: NO_STAKES,
  afterWin: NO_STAKES,
  afterLoss: NO_STAKES,
  decided: 0,
  firstRun: null,
  lastRun: null,
  longestWins: 0,
  longestLosses: 0,
  playedMs: 0,
  firstAtMs: null,
  lastEndMs: null,
}

export const addTotals = (a: Totals, b: Totals): Totals => ({
  won: a.won + b.won,
  lost: a.lost + b.lost,
  voided: a.voided + b.voided,
  stakedMinor: a.stakedMinor + b.stakedMinor,
  netMinor: a.netMinor + b.netMinor,
})

export const totalOf = ({ byType }: Play): Totals => [...byType.values()].reduce(addTotals, NO_TOTALS)

const addStakes = (a: Stakes, b: Stakes): Stakes =>
  b.bets === 0 ? a : a.bets === 0 ? b : { bets: a.bets + b.bets, stakedMinor: a.stakedMinor + b.stakedMinor }

export function playOf(bet: EndedBet): Play {
  if (bet.basis !== 'PRICE') return { ...NO_PLAY, leftOut: 1 }
  const { status, stakeMinor } = bet
  const run: Run | null = status === 'voided' ? null : { outcome: status, length: 1 }
  const stakedMinor = run === null ? 0n : stakeMinor
  return {
    ...NO_PLAY,
    byType: new Map([[bet.type, { ...NO_TOTALS, [status]: 1, stakedMinor, netMinor: bet.profitMinor }]]),
    lead: { bets: 1, stakedMinor: stakeMinor },
    decided: run === null ? 0 : 1,
    firstRun: run,
    lastRun: run,
    longestWins: status === 'won' ? 1 : 0,
    longestLosses: status === 'lost' ? 1 : 0,
    playedMs: Math.max(0, bet.endedAtMs - bet.acceptedAtMs),
    firstAtMs: bet.acceptedAtMs,
    lastEndMs: Math.max(bet.acceptedAtMs, bet.endedAtMs),
  }
}

/** Joins a stretch with the next one. Joining is associative: a history may be cut anywhere. */
export function joinPlay(a: Play, b: Play): Play {
  const { outcome } = a.lastRun ?? {}
  const meeting =
    a.lastRun !== null && a.lastRun.outcome === b.firstRun?.outcome ? a.lastRun.length + b.firstRun.length : 0
  const longest = (of: DecidedOutcome, inA: number, inB: number) => Math.max(inA, inB, outcome === of ? meeting : 0)
  return {
    byType: joinTypes(a.byType, b.byType),
    leftOut: a.leftOut + b.leftOut,
    lead: outcome === undefined ? addStakes(a.lead, b.lead) : a.lead,
    afterWin: addStakes(addStakes(a.afterWin, b.afterWin), outcome === 'won' ? b.lead : NO_STAKES),
    afterLoss: addStakes(addStakes(a.afterLoss, b.afterLoss), outcome === 'lost' ? b.lead : NO_STAKES),
    decided: a.decided + b.decided,
    firstRun: runAtEdge(a.firstRun, b.firstRun, { isWhole: a.firstRun?.length === a.decided, meeting }),
    lastRun: runAtEdge(b.lastRun, a.lastRun, { isWhole: b.lastRun?.length === b.decided, meeting }),
    longestWins: longest('won', a.longestWins, b.longestWins),
    longestLosses: longest('lost', a.longestLosses, b.longestLosses),
    playedMs: a.playedMs + b.playedMs + gapMs(a.lastEndMs, b.firstAtMs),
    firstAtMs: a.firstAtMs ?? b.firstAtMs,
    lastEndMs: b.lastEndMs ?? a.lastEndMs,
  }
}

function runAtEdge(
  own: Run | null,
  other: Run | null,
  { isWhole, meeting }: { readonly isWhole: boolean; readonly meeting: number },
): Run | null {
  if (own === null) return other
  return isWhole && meeting > 0 ? { outcome: own.outcome, length: meeting } : own
}

function gapMs(endMs: number | null, nextMs: number | null): number {
  if (endMs === null || nextMs === null) return 0
  const gap = Math.max(0, nextMs - endMs)
  return gap <= SITTING_GAP_MS ? gap : 0
}

function joinTypes(a: Play['byType'], b: Play['byType']): Play['byType'] {
  if (b.size === 0) return a
  if (a.size === 0) return b
  const joined = new Map(a)
  for (const [type, totals] of b) joined.set(type, addTotals(a.get(type) ?? NO_TOTALS, totals))
  return joined
}

export const joinAll = (stretches: readonly Play[]): Play => stretches.reduce(joinPlay, NO_PLAY)

export const typesOf = ({ byType }: Play): RoundType[] => ROUND_TYPES.filter((type) => byType.has(type))
