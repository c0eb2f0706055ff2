import { groupBy } from '#domain/group-by.ts'
import type { Minor } from '#domain/money.ts'
import type { Day } from '#domain/day.ts'
import { addTotals, NO_TOTALS, type Totals } from '#domain/statistics/play.ts'
import type { OwnStatistics } from './api.ts'
import { daysBetween } from './range.ts'

/** A phone has room for about a hundred bars: the days of about three months, or the weeks of two years. */
const MAX_BARS = 92
const MAX_WEEKS = 105

export type Step = 'day' | 'week' | 'month'

/** The totals of a day, week or month. All are zero without a bet. */
export type Bar = Totals & {
  readonly firstDay: Day
  readonly lastDay: Day
  readonly playedMs: number
}

/** Returns the days of the range up to today. A range without a start begins with the first day that has data. */
export function drawnDays({ firstDay, today, range: { from, to } }: OwnStatistics): Day[] {
  const first = from ?? firstDay ?? today
  const last = to === null || to > today ? today : to
  return daysBetween(first, last)
}

/** Groups the days into bars: days if they fit, otherwise weeks, otherwise months. */
export function barsOf(statistics: OwnStatistics, days: readonly Day[]): { readonly step: Step; readonly bars: Bar[] } {
  const step: Step = days.length <= MAX_BARS ? 'day' : days.length <= 7 * MAX_WEEKS ? 'week' : 'month'
  const byDay = new Map(statistics.days.map((day) => [day.day, day]))
  const groups = groupBy(days, (day) => groupOf(step, day, days[0] ?? day))
  const bars = [...groups.values()].map((group) => {
    const there = group.flatMap((day) => byDay.get(day) ?? [])
    return {
      ...there.reduce<Totals>(addTotals, NO_TOTALS),
      firstDay: group[0] ?? '',
      lastDay: group.at(-1) ?? '',
      playedMs: there.reduce((sum, { playedMs }) => sum + playedMs, 0),
    }
  })
  return { step, bars }
}

/** Returns the key of a day's bar. Weeks are counted from the first day, so that only the last week may be shorter. */
function groupOf(step: Step, day: Day, first: Day): string {
  if (step === 'day') return day
  if (step === 'month') return day.slice(0, 7)
  return String(Math.floor((Date.parse(day) - Date.parse(first)) / (7 * 86_400_000)))
}

/** Returns the balance at the end of each day; null before the account's first transfer. */
export function balancesOf(statistics: OwnStatistics, days: readonly Day[]): ReadonlyArray<Minor | null> {
  const closing = new Map(statistics.days.map(({ day, balanceMinor }) => [day, balanceMinor]))
  let balance = statistics.openingBalanceMinor
  return days.map((day) => (balance = closing.get(day) ?? balance))
}

export const sumOf = ({ types }: OwnStatistics): Totals => types.reduce<Totals>(addTotals, NO_TOTALS)

/** Returns the days with at least one ended bet whose basis is the price. */
export const playedDays = ({ days }: OwnStatistics) => days.filter(({ won, lost, voided }) => won + lost + voided > 0)
