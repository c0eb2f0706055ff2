import type { Direction } from '#domain/game/bet.ts'

/**
 * The chart's view "Phiên". Pure, so that the drawing, its table and its sentences say the same. Prices are thousandths
 * of a dollar, seconds are Unix seconds.
 */

export type ChartRound = {
  readonly id: string
  /** Its ticks decide the round (rules §2). */
  readonly source: string
  readonly sourceLabel: string
  readonly opensAtMs: number
  readonly closesAtMs: number
  readonly openPrice: number | null
}

/** A bet that the price decides (rules §1.2), open or just settled. */
export type ChartBet = {
  readonly id: string
  readonly direction: Direction
  readonly entryPrice: number | null
  readonly entrySecond: number | null
  readonly exitPrice: number | null
}

/** The price is null where the source will never have one (rules §2). */
export type RoundTick = { readonly second: number; readonly price: number | null }

export type RoundPicture = {
  readonly round: ChartRound
  readonly bet: ChartBet | null
  /** Whether the price would decide a bet that is placed now (rules §1.2). */
  readonly isByPrice: boolean
  /** The server's answer; ticks that arrive meanwhile are added. */
  readonly fetched: readonly RoundTick[]
}

/** `isBroken`: no line to the next point, because seconds between them have no known price. */
export type RoundPoint = { readonly second: number; readonly price: number; readonly isBroken: boolean }

/** The first and last second, both included: the fixed ends of the time axis. */
export const secondsOf = (round: ChartRound): readonly [number, number] => [
  Math.ceil(round.opensAtMs / 1000),
  Math.floor(round.closesAtMs / 1000),
]

/** The seconds written under the time axis. */
export function timeMarks(round: ChartRound): readonly number[] {
  const [first, last] = secondsOf(round)
  const step = last - first > 60 ? 30 : last - first > 30 ? 15 : 10
  return [...Array.from({ length: Math.ceil((last - first) / step) }, (_, index) => first + index * step), last]
}

/** Every known second of the round, ascending. A later list overrides an earlier one. */
export function ticksOf(round: ChartRound, ...lists: readonly (readonly RoundTick[])[]): readonly RoundTick[] {
  const [first, last] = secondsOf(round)
  const bySecond = new Map<number, RoundTick>()
  for (const ticks of lists)
    for (const { second, price } of ticks)
      if (second >= first && second <= last) bySecond.set(second, { second, price })
  return [...bySecond.values()].toSorted((a, b) => a.second - b.second)
}

/** Ascending. */
export function pointsOf(ticks: readonly RoundTick[]): readonly RoundPoint[] {
  const priced = ticks.flatMap(({ second, price }) => (price === null ? [] : [{ second, price }]))
  return priced.map((tick, index) => {
    const next = priced[index + 1]
    return { ...tick, isBroken: next !== undefined && next.second > tick.second + 1 }
  })
}

/** A tick that is this late was missed. */
const lateS = 2

/** Whether a second of the round is unknown, so that the server has to be asked. */
export function hasHole(round: ChartRound, ticks: readonly RoundTick[], nowMs: number): boolean {
  const [first, last] = secondsOf(round)
  const until = Math.min(last, Math.floor(nowMs / 1000) - lateS)
  return ticks.filter(({ second }) => second <= until).length < until - first + 1
}

/** A quiet round must not look like a wild one. */
const leastSpan = 100

/** The price scale's ends. */
export function priceSpan(points: readonly RoundPoint[], entryPrice: number | null): readonly [number, number] | null {
  const prices = points.map(({ price }) => price)
  if (entryPrice !== null) prices.push(entryPrice)
  if (prices.length === 0) return null
  const [low, high] = [Math.min(...prices), Math.max(...prices)]
  const missing = Math.max(0, leastSpan - (high - low)) / 2
  return [low - missing, high + missing]
}

export type Lead = 'ahead' | 'behind' | 'level'

/** The side that would win at this price. */
export function leadOf(bet: Pick<ChartBet, 'direction'>, entryPrice: number, price: number): Lead {
  if (price === entryPrice) return 'level'
  return price > entryPrice === (bet.direction === 'up') ? 'ahead' : 'behind'
}

export const tintsOf = (
  bet: Pick<ChartBet, 'direction'>,
): { readonly above: 'up' | 'down'; readonly below: 'up' | 'down' } =>
  bet.direction === 'up' ? { above: 'up', below: 'down' } : { above: 'down', below: 'up' }

/** Where the line "now" stands: at the newest tick, or for a silent feed at the clock's second. */
export function nowSecondOf(round: ChartRound, newest: RoundPoint | undefined, nowMs: number): number {
  const [first, last] = secondsOf(round)
  const clock = Math.floor(nowMs / 1000)
  const isCurrent = newest !== undefined && newest.second >= clock - 1
  return Math.max(first, Math.min(last, isCurrent ? newest.second : clock))
}
