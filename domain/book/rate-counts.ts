import { Z } from '../statistics/chance.ts'
import { type BookDirection } from './entry.ts'
import { type SettledLine } from './settled-line.ts'

/* Counts the measured rates of a round from the log and its settled lines alone (docs/open-book.md §6). */

export const NO_COUNTS = {
  /**
   * Rounds that no announcement decided: with a result (`up`, `down`), with equal prices (`ties`), or with a price
   * missing (`missing`).
   */
  ...{ up: 0, down: 0, ties: 0, missing: 0 },
  ...{ won: 0, lost: 0, tied: 0, voided: 0 },
  /** Sums over bets decided by price, voided ones included, in minor units. `profit` is the players' profit. */
  ...{ staked: 0, profit: 0 },
  /**
   * Sum of the squares of each round's `profit`, in minor units squared. The profits of single bets are not squared,
   * because bets of one round share an exit price (docs/open-book.md §6).
   */
  squares: 0n,
  ...{ late: 0, lateWon: 0, lateLost: 0 },
}

export type RateCounts = Readonly<typeof NO_COUNTS>

export const LATE_AFTER_MS = 5_000

/**
 * Returns whether a bet was sealed late: over 5 s after its acceptance, or past its round's end (docs/open-book.md §3).
 * @param sealedAtMs time of the beat that ends the batch of the bet's entry
 */
export const isSealedLate = (acceptedAtMs: number, sealedAtMs: number, closesAtMs: number): boolean =>
  sealedAtMs - acceptedAtMs > LATE_AFTER_MS || sealedAtMs > closesAtMs

export type CountedResult = {
  readonly ticks: ReadonlyArray<number | null>
  readonly result: BookDirection | null
  readonly by: 'PRICE' | 'ADMIN'
} | null

type CountedLine = Pick<SettledLine, 'basis' | 'status' | 'why' | 'stake' | 'profit' | 'at'>

export function countRound(closesAtMs: number, result: CountedResult) {
  const counts = { ...NO_COUNTS, ...countResult(result) }
  return {
    addLine({ basis, status, why, stake, profit, at }: CountedLine, sealedAtMs: number): void {
      if (basis !== 'PRICE') return
      if (status === 'WIN') counts.won++
      else if (status === 'LOSE') counts.lost++
      else if (why === 'TIE') counts.tied++
      else counts.voided++
      counts.staked += stake
      counts.profit += profit
      if (!isSealedLate(at, sealedAtMs, closesAtMs)) return
      counts.late++
      if (status === 'WIN') counts.lateWon++
      else if (status === 'LOSE') counts.lateLost++
    },
    counts: (): RateCounts => ({ ...counts, squares: BigInt(counts.profit) ** 2n }),
  }
}

function countResult(result: CountedResult): Pick<RateCounts, 'up' | 'down' | 'ties' | 'missing'> {
  const none = { up: 0, down: 0, ties: 0, missing: 0 }
  if (result === null || result.by !== 'PRICE') return none
  if (result.result === 'UP') return { ...none, up: 1 }
  if (result.result === 'DOWN') return { ...none, down: 1 }
  const [first, last] = [result.ticks.at(0) ?? null, result.ticks.at(-1) ?? null]
  return first === null || last === null ? { ...none, missing: 1 } : { ...none, ties: 1 }
}

export function addCounts(a: RateCounts, b: RateCounts): RateCounts {
  const sums: { -readonly [Name in keyof RateCounts]: RateCounts[Name] } = { ...a, squares: a.squares + b.squares }
  for (const name of SUMMED) sums[name] += b[name]
  return sums
}

const SUMMED = Object.keys(NO_COUNTS).filter((name) => name !== 'squares') as Exclude<keyof RateCounts, 'squares'>[]

/** By chance alone, the players' profits add up to at most ± this many minor units in 95 % of cases. */
export const chanceBand = (squares: bigint): number => Math.round(Z * Math.sqrt(Number(squares)))

export const dayOfRound = (opensAtMs: number): number => Math.floor(opensAtMs / 86_400_000)
