import { dayAfter, type Day } from '#domain/day.ts'

/** The first and last day of a range, in Vietnam's zone; null means no limit on that side. */
export type DayRange = { readonly from: Day | null; readonly to: Day | null }

export const rangeNames = ['week', 'month', 'quarter', 'all', 'own'] as const
export type RangeName = (typeof rangeNames)[number]

const lengths = { week: 7, month: 30, quarter: 90 } as const

export type RangeChoice = { readonly name: RangeName; readonly own: DayRange }

/** Returns the chosen range; `week`, `month` and `quarter` end today. Null while `own` lacks a date or is reversed. */
export function rangeOf({ name, own }: RangeChoice, today: Day): DayRange | null {
  if (name === 'all') return { from: null, to: null }
  if (name !== 'own') return { from: dayAfter(today, 1 - lengths[name]), to: today }
  return own.from === null || own.to === null || own.from > own.to ? null : own
}

/** 30 years. This limits the loop below, since a custom range can be of any length. */
const DAYS_MAX = 10_958

/** Returns the days from first to last, both included. If there are more than DAYS_MAX, returns only the last ones. */
export function daysBetween(first: Day, last: Day): Day[] {
  const days: Day[] = []
  for (let day = last; day >= first && days.length < DAYS_MAX; day = dayAfter(day, -1)) days.push(day)
  return days.toReversed()
}
