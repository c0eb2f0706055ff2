import type { BookRates } from '#contract/book-pages.ts'
import { addCounts, chanceBand, NO_COUNTS, type RateCounts } from '#domain/book/rate-counts.ts'
import { wilsonInterval } from '#domain/statistics/chance.ts'
import { sourceLabel } from '#domain/market/source-label.ts'
import type { Minor } from '#domain/money.ts'
import { formatCount, formatShare } from '#web/platform/formats.ts'
import { bookTexts as texts } from './book-texts.ts'

export type RatesRow = { readonly label: string; readonly counts: RateCounts }
/** A row for all rounds together, then a row for each combination of round type and price source. */
export type RatesRows = readonly [RatesRow, ...RatesRow[]]

export function rowsOf({ types }: BookRates): RatesRows {
  const rows = types.map((row) => ({
    label: texts.typeAndSource(row.type, sourceLabel(row.source)),
    counts: { ...row, staked: Number(row.stakedMinor), profit: Number(row.profitMinor) },
  }))
  return [
    { label: texts.all, counts: rows.map(({ counts }) => counts).reduce<RateCounts>(addCounts, NO_COUNTS) },
    ...rows,
  ]
}

export const roundsOf = ({ up, down, ties, missing }: RateCounts): number => up + down + ties + missing
export const betsOf = ({ won, lost, tied, voided }: RateCounts): number => won + lost + tied + voided

/** The share `count / of`, with its 95 % Wilson interval. */
export type Share = NonNullable<ReturnType<typeof shareOf>>

export function shareOf(count: number, of: number) {
  const interval = wilsonInterval(count, of)
  return interval === null ? null : { count, of, share: count / of, interval }
}

export const intervalText = ({ interval: { low, high } }: Share): string =>
  texts.between(formatShare(low), formatShare(high))
export const shareText = ({ share, count, of }: Share): string =>
  texts.shareOf(formatShare(share), formatCount(count), formatCount(of))
export const shareCell = (count: number, of: number): string => {
  const share = shareOf(count, of)
  return share === null ? '–' : `${formatCount(count)} · ${formatShare(share.share)} (${intervalText(share)})`
}

/** Returns the x for which chance alone keeps a sum of variance `squares` between −x and x in 95 of 100 cases. */
export const bandOf = (squares: bigint): Minor => BigInt(chanceBand(squares))

export type SumPoint = { readonly day: string; readonly sumMinor: Minor; readonly bandMinor: Minor }

/** Returns for each day the players' total profit from the first day on, and the total's band (`bandOf`). */
export function sumsOf({ days }: BookRates): readonly SumPoint[] {
  let [sum, squares] = [0n, 0n]
  return days.map((one) => {
    sum += one.profitMinor
    squares += one.squares
    return { day: one.day, sumMinor: sum, bandMinor: bandOf(squares) }
  })
}
