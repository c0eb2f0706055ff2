import type { BetStatus, Direction } from '#domain/game/bet.ts'

/** The data of the chart's view "Phiên". Prices are thousandths of a dollar, seconds are Unix seconds. */

export type ChartRound = {
  readonly id: string
  /** The price source of the round (rules §5.4). */
  readonly source: string
  readonly sourceLabel: string
  readonly opensAtMs: number
  readonly closesAtMs: number
  readonly openPrice: number | null
}

/** A bet that the price decides (rules §1.2), open or just settled. */
export type ChartBet = {
  readonly id: string
  readonly status: BetStatus
  readonly direction: Direction
  readonly entryPrice: number | null
  readonly entrySecond: number | null
  readonly exitPrice: number | null
}

/** The price is null if the source has no price for this second (rules §2.4). */
export type RoundTick = { readonly second: number; readonly price: number | null }

export type RoundPicture = {
  readonly round: ChartRound
  readonly bet: ChartBet | null
  /** Whether the price would decide a bet that is placed now (rules §1.2). */
  readonly isByPrice: boolean
  /** The ticks that were fetched, without those that the socket has sent. */
  readonly fetched: readonly RoundTick[]
}

/** `isBroken`: no line leads to the next point, because seconds between the two points have no known price. */
export type RoundPoint = { readonly second: number; readonly price: number; readonly isBroken: boolean }

/** Returns the first and the last second of the round, both inclusive. */
export const secondsOf = (round: ChartRound): readonly [number, number] => [
  Math.ceil(round.opensAtMs / 1000),
  Math.floor(round.closesAtMs / 1000),
]

/** Returns the seconds that are written under the time axis. */
export function timeMarks(round: ChartRound): readonly number[] {
  const [first, last] = secondsOf(round)
  const step = last - first > 60 ? 30 : last - first > 30 ? 15 : 10
  return [...Array.from({ length: Math.ceil((last - first) / step) }, (_, index) => first + index * step), last]
}

/** Returns all known seconds of the round in ascending order. If several lists have a second, the last list counts. */
export function ticksOf(round: ChartRound, ...lists: readonly (readonly RoundTick[])[]): readonly RoundTick[] {
  const [first, last] = secondsOf(round)
  const bySecond = new Map<number, RoundTick>()
  for (const ticks of lists)
    for (const { second, price } of ticks)
      if (second >= first && second <= last) bySecond.set(second, { second, price })
  return [...bySecond.values()].toSorted((a, b) => a.second - b.second)
}

/** Returns the ticks that have a price, in the given order. */
export function pointsOf(ticks: readonly RoundTick[]): readonly RoundPoint[] {
  const priced = ticks.flatMap(({ second, price }) => (price === null ? [] : [{ second, price }]))
  return priced.map((tick, index) => {
    const next = priced[index + 1]
    return { ...tick, isBroken: next !== undefined && next.second > tick.second + 1 }
  })
}

/** A tick that is this many seconds late counts as missing. */
const lateS = 2

/** Returns whether a past second of the round is unknown, so that the ticks have to be fetched. */
export function hasHole(round: ChartRound, ticks: readonly RoundTick[], nowMs: number): boolean {
  const [first, last] = secondsOf(round)
  const until = Math.min(last, Math.floor(nowMs / 1000) - lateS)
  return ticks.filter(({ second }) => second <= until).length < until - first + 1
}

/** The least span of prices on the scale, so that the small moves of a quiet round look small. */
const leastSpan = 100

/** Returns the lowest and highest price of the scale, or null if there are no prices. */
export function priceSpan(points: readonly RoundPoint[], entryPrice: number | null): readonly [number, number] | null {
  const prices = points.map(({ price }) => price)
  if (entryPrice !== null) prices.push(entryPrice)
  if (prices.length === 0) return null
  const [low, high] = [Math.min(...prices), Math.max(...prices)]
  const missing = Math.max(0, leastSpan - (high - low)) / 2
  return [low - missing, high + missing]
}

export type Lead = 'ahead' | 'behind' | 'level'

/** Returns whether the bet would win (`ahead`) or lose (`behind`) if the round ended at this price. */
export function leadOf(bet: Pick<ChartBet, 'direction'>, entryPrice: number, price: number): Lead {
  if (price === entryPrice) return 'level'
  return price > entryPrice === (bet.direction === 'up') ? 'ahead' : 'behind'
}

export const tintsOf = (
  bet: Pick<ChartBet, 'direction'>,
): { readonly above: 'up' | 'down'; readonly below: 'up' | 'down' } =>
  bet.direction === 'up' ? { above: 'up', below: 'down' } : { above: 'down', below: 'up' }

/** The second at which the line "now" is drawn: the newest tick's, or the clock's if that tick is over a second old. */
export function nowSecondOf(round: ChartRound, newest: RoundPoint | undefined, nowMs: number): number {
  const [first, last] = secondsOf(round)
  const clock = Math.floor(nowMs / 1000)
  const isCurrent = newest !== undefined && newest.second >= clock - 1
  return Math.max(first, Math.min(last, isCurrent ? newest.second : clock))
}
