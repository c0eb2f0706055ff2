import type { Direction } from '#domain/game/bet.ts'

/**
 * The data of the chart's view "Phiên": the running round second by second. Pure, so that the drawing, its table and
 * its sentences say the same. Prices are thousandths of a dollar, seconds are Unix seconds.
 */

/** The round that the view draws: the bet's own round while a bet is given, else the selected one. */
export type ChartRound = {
  readonly id: string
  /** The round's price source; its ticks decide the round (rules §2). */
  readonly source: string
  readonly sourceLabel: string
  readonly opensAtMs: number
  readonly closesAtMs: number
  /** The tick at the opening; null while unknown. */
  readonly openPrice: number | null
}

/** The player's open bet, or the one just settled, that the price decides (rules §1.2). */
export type ChartBet = {
  readonly id: string
  readonly direction: Direction
  /** Null until the entry tick has arrived. */
  readonly entryPrice: number | null
  readonly entrySecond: number | null
  /** Null until the bet is settled. */
  readonly exitPrice: number | null
}

/** The price of a second; null where the source has none for ever (rules §2). */
export type RoundTick = { readonly second: number; readonly price: number | null }

/** One point of the line. `isBroken`: no line to the next point, because seconds between them have no known price. */
export type RoundPoint = { readonly second: number; readonly price: number; readonly isBroken: boolean }

/** The round's first and last second, both included: the fixed ends of the time axis. */
export const secondsOf = (round: ChartRound): readonly [number, number] => [
  Math.ceil(round.opensAtMs / 1000),
  Math.floor(round.closesAtMs / 1000),
]

/** The seconds that are written under the time axis: the opening, a few between, and the end. */
export function timeMarks(round: ChartRound): readonly number[] {
  const [first, last] = secondsOf(round)
  const step = last - first > 60 ? 30 : last - first > 30 ? 15 : 10
  return [...Array.from({ length: Math.ceil((last - first) / step) }, (_, index) => first + index * step), last]
}

/**
 * Every known second of the round: what the server answered, and what arrived since. A later list overrides an earlier
 * one. Ascending.
 */
export function ticksOf(round: ChartRound, ...lists: readonly (readonly RoundTick[])[]): readonly RoundTick[] {
  const [first, last] = secondsOf(round)
  const bySecond = new Map<number, RoundTick>()
  for (const ticks of lists)
    for (const { second, price } of ticks)
      if (second >= first && second <= last) bySecond.set(second, { second, price })
  return [...bySecond.values()].toSorted((a, b) => a.second - b.second)
}

/** The points of the line, ascending; seconds without a price break it instead of being joined over. */
export function pointsOf(ticks: readonly RoundTick[]): readonly RoundPoint[] {
  const priced = ticks.flatMap(({ second, price }) => (price === null ? [] : [{ second, price }]))
  return priced.map((tick, index) => {
    const next = priced[index + 1]
    return { ...tick, isBroken: next !== undefined && next.second > tick.second + 1 }
  })
}

/** A second whose tick is at least this late was missed: it is asked for. */
const lateS = 2

/** Whether a second of the round up to now is unknown here, so that the server has to be asked. */
export function hasHole(round: ChartRound, ticks: readonly RoundTick[], nowMs: number): boolean {
  const [first, last] = secondsOf(round)
  const until = Math.min(last, Math.floor(nowMs / 1000) - lateS)
  return ticks.filter(({ second }) => second <= until).length < until - first + 1
}

/** The least height of the price scale: a quiet round must not look like a wild one. */
const leastSpan = 100

/** The prices between which the picture is drawn: those of the round, the entry, and some height. */
export function priceSpan(points: readonly RoundPoint[], entryPrice: number | null): readonly [number, number] | null {
  const prices = points.map(({ price }) => price)
  if (entryPrice !== null) prices.push(entryPrice)
  if (prices.length === 0) return null
  const [low, high] = [Math.min(...prices), Math.max(...prices)]
  const missing = Math.max(0, leastSpan - (high - low)) / 2
  return [low - missing, high + missing]
}

/** Whether the bet is right at a price. */
export type Lead = 'ahead' | 'behind' | 'level'

/** The side that would win if the round ended at this price. */
export function leadOf(bet: Pick<ChartBet, 'direction'>, entryPrice: number, price: number): Lead {
  if (price === entryPrice) return 'level'
  return price > entryPrice === (bet.direction === 'up') ? 'ahead' : 'behind'
}

/** The tint above and below the entry line. */
export const tintsOf = (
  bet: Pick<ChartBet, 'direction'>,
): { readonly above: 'up' | 'down'; readonly below: 'up' | 'down' } =>
  bet.direction === 'up' ? { above: 'up', below: 'down' } : { above: 'down', below: 'up' }

/**
 * The second at which the line "now" stands: that of the newest tick while ticks come, else the clock's, so that a
 * silent feed shows as a growing distance.
 */
export function nowSecondOf(round: ChartRound, newest: RoundPoint | undefined, nowMs: number): number {
  const [first, last] = secondsOf(round)
  const clock = Math.floor(nowMs / 1000)
  const isCurrent = newest !== undefined && newest.second >= clock - 1
  return Math.max(first, Math.min(last, isCurrent ? newest.second : clock))
}
