import { dayAfter, dayOf, isDay, startOfDayMs } from '#domain/day.ts'
import { FIGURES_DAYS_MAX } from '#domain/overview/figures.ts'
import type { FilterValues } from '#web/lists/table-search.ts'

const HOUR_MS = 3_600_000

/** The range of the pictures as the overview's address holds it, like a list's filters: `range`, `from`, `to`. */
export const rangeSpec = {
  filters: { range: ['7d', '24h', '30d', 'own'], from: 'text', to: 'text' },
  sorts: [],
  firstSort: '',
} as const
export type RangeChoice = FilterValues<typeof rangeSpec.filters>
export type RangeName = RangeChoice['range']
export const rangeNames: readonly RangeName[] = ['24h', '7d', '30d', 'own']

/** Instants in Unix ms; `toMs` is excluded. */
export type InstantRange = { readonly fromMs: number; readonly toMs: number }

/** Why an own range shows nothing: an end is missing, they are turned, or too far apart. */
export type RangeProblem = 'open' | 'turned' | 'long'

/** Whole hours or whole days in Vietnam, the current one included. */
export function rangeOf({ range, from, to }: RangeChoice, nowMs: number): InstantRange | RangeProblem {
  if (range === '24h') {
    const toMs = (Math.floor(nowMs / HOUR_MS) + 1) * HOUR_MS
    return { fromMs: toMs - 24 * HOUR_MS, toMs }
  }
  if (range !== 'own') return lastDays(range === '7d' ? 7 : 30, nowMs)
  if (!isDay(from) || !isDay(to)) return 'open'
  if (from > to) return 'turned'
  const own = { fromMs: startOfDayMs(from), toMs: startOfDayMs(dayAfter(to)) }
  return own.toMs - own.fromMs > FIGURES_DAYS_MAX * 24 * HOUR_MS ? 'long' : own
}

/** A range of whole days in Vietnam, the last of which is today. */
export function lastDays(days: number, nowMs: number): InstantRange {
  const today = dayOf(nowMs)
  return { fromMs: startOfDayMs(dayAfter(today, 1 - days)), toMs: startOfDayMs(dayAfter(today)) }
}

/** An own range begins as the week that ends today, so that it shows something at once. */
export function chosen(range: RangeName, { from, to }: RangeChoice, nowMs: number): Partial<RangeChoice> {
  if (range !== 'own') return { range, from: '', to: '' }
  const today = dayOf(nowMs)
  return { range, from: isDay(from) ? from : dayAfter(today, -6), to: isDay(to) ? to : today }
}
