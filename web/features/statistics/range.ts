import { dayAfter, type Day } from '#domain/day.ts'

/** Days in Vietnam, both included; null is without an end. */
export type DayRange = { readonly from: Day | null; readonly to: Day | null }

export const rangeNames = ['week', 'month', 'quarter', 'all', 'own'] as const
export type RangeName = (typeof rangeNames)[number]

const lengths = { week: 7, month: 30, quarter: 90 } as const

/** The state of the range picker. */
export type RangeChoice = { readonly name: RangeName; readonly own: DayRange }

/** The range of a choice, today included; null while the own range has no ends or its ends are turned. */
export function rangeOf({ name, own }: RangeChoice, today: Day): DayRange | null {
  if (name === 'all') return { from: null, to: null }
  if (name !== 'own') return { from: dayAfter(today, 1 - lengths[name]), to: today }
  return own.from === null || own.to === null || own.from > own.to ? null : own
}

/** More days than any account has, 30 years of them, as a bound for every list of days. */
const DAYS_MAX = 10_958

/** Every day from the first to the last, both included; if there are too many, the last ones. */
export function daysBetween(first: Day, last: Day): Day[] {
  const days: Day[] = []
  for (let day = last; day >= first && days.length < DAYS_MAX; day = dayAfter(day, -1)) days.push(day)
  return days.toReversed()
}
