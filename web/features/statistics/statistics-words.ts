import type { Minor } from '#domain/money.ts'
import { fairCoinBand, longestRunByChance, wilsonInterval } from '#domain/statistics/chance.ts'
import type { Day } from '#domain/day.ts'
import type { Stakes } from '#domain/statistics/play.ts'
import { formatAmount, formatCalendarDay, formatCount, formatShare, formatWholeAmount } from '#web/platform/formats.ts'
import type { OwnStatistics } from './api.ts'
import { playedDays, sumOf } from './series.ts'
import { statisticsTexts as texts } from './statistics-texts.ts'

/** Below this number of won and lost bets, nothing is said about chance (rules §6.8). */
const FEW_BETS = 20

export const hasFewBets = (statistics: OwnStatistics): boolean => {
  const { won, lost } = sumOf(statistics)
  return won + lost < FEW_BETS
}

/** Returns `20/11` for `2026-11-20`. */
export const shortDay = (day: Day): string => formatCalendarDay(day).slice(0, 5)

/** Returns `5 giờ 12 phút`, `48 phút` or `dưới 1 phút`. */
export function timeText(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  if (minutes === 0) return texts.underAMinute
  if (minutes < 60) return texts.minutes(minutes)
  return texts.hoursMinutes(formatCount(Math.floor(minutes / 60)), minutes % 60)
}

export function summarySentences(statistics: OwnStatistics): readonly string[] {
  const { won, lost, voided, stakedMinor } = sumOf(statistics)
  const { leftOut } = statistics
  const isFew = hasFewBets(statistics)
  const ended = isFew ? texts.endedFew : texts.ended
  return [
    won + lost === 0 ? texts.shareNone : ended(formatCount(won + lost), formatCount(won), formatCount(lost)),
    !isFew && voided > 0 && texts.voided(formatCount(voided)),
    !isFew && texts.staked(formatWholeAmount(stakedMinor)),
    leftOut > 0 && texts.leftOut(formatCount(leftOut)),
    !isFew && texts.openApart,
  ].filter((sentence) => sentence !== false)
}

export type ShareRow = ReturnType<typeof shareRows>[number]

/** Returns the share of wins over all round types and of each type. Rows without a decided bet are left out. */
export function shareRows(statistics: OwnStatistics) {
  const all = { label: texts.allTypes, ...sumOf(statistics) }
  return [all, ...statistics.types.map((totals) => ({ label: totals.type, ...totals }))].flatMap(
    ({ label, won, lost }) => {
      const decided = won + lost
      const interval = wilsonInterval(won, decided)
      const band = fairCoinBand(decided)
      return interval === null || band === null ? [] : [{ label, won, decided, share: won / decided, interval, band }]
    },
  )
}

/** Says whether the share of wins lies within `band`. The sentences promise nothing (rules §8). */
export function shareSentences(row: ShareRow | undefined): readonly string[] {
  if (row === undefined) return [texts.shareNone]
  const { share, decided, interval, band } = row
  if (decided < FEW_BETS) return [texts.shareFew(formatCount(decided))]
  const isWithin = share >= band.low && share <= band.high
  return [
    texts.shareFits(formatShare(share), formatShare(interval.low), formatShare(interval.high)),
    (isWithin ? texts.shareWithin : texts.shareOutside)(formatShare(band.low), formatShare(band.high)),
  ]
}

/** Returns the average stake, rounded to a minor unit; null without a bet. */
export const averageOf = ({ bets, stakedMinor }: Stakes): Minor | null =>
  bets === 0 ? null : (2n * stakedMinor + BigInt(bets)) / (2n * BigInt(bets))

export function stakeSentences({ afterWin, afterLoss }: OwnStatistics): readonly string[] {
  const [loss, win] = [averageOf(afterLoss), averageOf(afterWin)]
  if (loss === null || win === null) return [texts.stakesFew]
  return [texts.stakesMean(formatAmount(loss), formatAmount(win)), loss > win ? texts.stakesHigher : texts.stakesAlike]
}

export function netSentence(statistics: OwnStatistics): string {
  const days = playedDays(statistics)
  const count = (isOn: (netMinor: Minor) => boolean) => formatCount(days.filter((day) => isOn(day.netMinor)).length)
  return texts.netMeans(
    count((net) => net > 0n),
    count((net) => net < 0n),
  )
}

export const timeSentence = (statistics: OwnStatistics): string =>
  texts.timeMeans(timeText(statistics.playedMs), formatCount(playedDays(statistics).length))

/**
 * Returns the longest runs of wins and of losses, and `chance`: the probable length of the longest run if each bet were
 * the toss of a fair coin. Null if no bet was won or lost.
 */
export function runsOf(statistics: OwnStatistics) {
  const { won, lost } = sumOf(statistics)
  if (won + lost === 0) return null
  const { longestWins: wins, longestLosses: losses } = statistics
  return { wins, losses, tosses: won + lost, chance: longestRunByChance(won + lost) }
}

export function runSentences({ wins, losses, tosses, chance }: NonNullable<ReturnType<typeof runsOf>>) {
  const isWithin = [wins, losses].every((length) => length >= chance.low && length <= chance.high)
  return [
    texts.runsMean(formatCount(wins), formatCount(losses)),
    texts.runsChance(
      formatCount(tosses),
      formatCount(chance.low),
      formatCount(chance.high),
      chance.expected.toFixed(1),
    ),
    isWithin ? texts.runsWithin : texts.runsOutside,
  ]
}
