import { type ShareRange, wilsonInterval } from '../statistics/chance.ts'
import type { RateCounts } from './rate-counts.ts'

/* Judges what the log's counts say about chance (docs/open-book.md §6). */

/** A part of a whole, with the shares that fit it at 95 % (Wilson); share and range are null of nothing. */
export interface MeasuredShare {
  readonly count: number
  readonly of: number
  readonly share: number | null
  readonly range: ShareRange | null
}

export interface MeasuredRates {
  /** Shares of the rounds that the price decided. */
  readonly up: MeasuredShare
  readonly down: MeasuredShare
  readonly ties: MeasuredShare
  readonly missing: MeasuredShare
  /**
   * Shares of the bets that the price decides: won, among those that won or lost; tied and otherwise voided, among all
   * of them.
   */
  readonly won: MeasuredShare
  readonly tied: MeasuredShare
  readonly voided: MeasuredShare
  /** Bets sealed late, among all; and won, among those that were sealed late and won or lost. */
  readonly late: MeasuredShare
  readonly lateWon: MeasuredShare
  /** The sum that all players together gained, in minor units. Chance alone gives 0. */
  readonly playersSum: number
  /** In 95 of 100 such histories chance alone keeps the sum between −band and +band. Minor units. */
  readonly band: number
}

/** The normal distribution's quantile that leaves 2.5 % above it. */
const Z = 1.959963984540054

const measured = (count: number, of: number): MeasuredShare => ({
  count,
  of,
  share: of === 0 ? null : count / of,
  range: wilsonInterval(count, of),
})

export function measuredRates(counts: RateCounts): MeasuredRates {
  const rounds = counts.up + counts.down + counts.ties + counts.missing
  const decided = counts.won + counts.lost
  const bets = decided + counts.tied + counts.voided
  return {
    up: measured(counts.up, rounds),
    down: measured(counts.down, rounds),
    ties: measured(counts.ties, rounds),
    missing: measured(counts.missing, rounds),
    won: measured(counts.won, decided),
    tied: measured(counts.tied, bets),
    voided: measured(counts.voided, bets),
    late: measured(counts.late, bets),
    lateWon: measured(counts.lateWon, counts.lateWon + counts.lateLost),
    playersSum: counts.profit,
    band: Math.round(Z * Math.sqrt(Number(counts.squares))),
  }
}
