import { dayAfter, dayOf, startOfDayMs } from '../day.ts'
import { isBlank } from '../blank.ts'

/** Office hours of customer care (docs/rules.md §7.17). If none are set, customer care is always open. */

/** Minutes of a day in Vietnam, 0 to 1440. `toMinute` is the first minute at which care is closed again. */
export interface DayHours {
  readonly fromMinute: number
  readonly toMinute: number
}

/** The days of a `Week`, in its order. The audit log stores these names. */
export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const

export type Week = readonly (DayHours | null)[]

export interface CareHours {
  readonly week: Week
  readonly awayText: string
}

export const DAY_MINUTES = 1_440
export const AWAY_TEXT_MAX = 300

const MINUTE_MS = 60_000
const DAYS = WEEKDAYS.length

export const weekdayOf = (atMs: number): number => (new Date(dayOf(atMs)).getUTCDay() + 6) % DAYS

function openOn(week: Week, nowMs: number, days: number): { readonly fromMs: number; readonly toMs: number } | null {
  const startMs = startOfDayMs(dayAfter(dayOf(nowMs), days))
  const hours = week[weekdayOf(startMs)] ?? null
  return hours && { fromMs: startMs + hours.fromMinute * MINUTE_MS, toMs: startMs + hours.toMinute * MINUTE_MS }
}

/** Returns when care opens next, in Unix ms: `nowMs` itself while care is open, null if no day has hours. */
export function nextOpeningMs(week: Week, nowMs: number): number | null {
  // Today's hours may be over, so the loop includes the same weekday of next week.
  for (let days = 0; days <= DAYS; days++) {
    const open = openOn(week, nowMs, days)
    if (open !== null && nowMs < open.toMs) return Math.max(nowMs, open.fromMs)
  }
  return null
}

export const isOpenAt = (week: Week, atMs: number): boolean => nextOpeningMs(week, atMs) === atMs

/** Returns the instant since which care has been open for `openMs` in total; null if care is closed at `nowMs`. */
export function openForMs(week: Week, nowMs: number, openMs: number): number | null {
  if (!isOpenAt(week, nowMs)) return null
  let leftMs = openMs
  for (let days = 0; ; days--) {
    const open = openOn(week, nowMs, days)
    if (open === null) continue
    const endMs = Math.min(open.toMs, nowMs)
    if (endMs - open.fromMs >= leftMs) return endMs - leftMs
    leftMs -= endMs - open.fromMs
  }
}

export const minuteText = (minute: number): string =>
  [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':')

/** Returns every 30th minute of a day, from 0 to 1440, and the chosen minute, in order. */
export const halfHoursWith = (chosen: number): readonly number[] =>
  [...new Set([...Array.from({ length: DAY_MINUTES / 30 + 1 }, (_, at) => at * 30), chosen])].toSorted((a, b) => a - b)

type HoursRefusal = 'HOURS_INVALID' | 'AWAY_TEXT_INVALID'

export function decideHours({ week, awayText }: CareHours): { code: HoursRefusal; weekday?: number } | null {
  const weekday = week.findIndex((day) => day !== null && day.fromMinute >= day.toMinute)
  if (weekday !== -1) return { code: 'HOURS_INVALID', weekday }
  return isBlank(awayText) || awayText.trim().length > AWAY_TEXT_MAX ? { code: 'AWAY_TEXT_INVALID' } : null
}
