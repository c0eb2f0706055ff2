/**
 * Gold trades from Sunday 18:00 to Friday 17:00 New York time, with a pause from 17:00 to 18:00 each day (rules §5.5).
 * Daylight saving time is computed here, without a time-zone database. Exchange holidays are not modelled.
 */
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const STANDARD_OFFSET_MS = -5 * HOUR_MS
const DAYLIGHT_OFFSET_MS = -4 * HOUR_MS
const CLOSES_MS = 17 * HOUR_MS
const OPENS_MS = 18 * HOUR_MS

const SUNDAY = 0
const FRIDAY = 5
const SATURDAY = 6

function nthSunday(year: number, month: number, nth: number): number {
  const first = Date.UTC(year, month, 1)
  const toSunday = (7 - weekday(first)) % 7
  return first + (toSunday + 7 * (nth - 1)) * DAY_MS
}

const weekday = (ms: number): number => new Date(ms).getUTCDay()

/** Daylight saving time lasts from March's second Sunday to November's first, and changes at 02:00 local time. */
export function newYorkOffsetMs(ms: number): number {
  const year = new Date(ms).getUTCFullYear()
  const begins = nthSunday(year, 2, 2) + 2 * HOUR_MS - STANDARD_OFFSET_MS
  const ends = nthSunday(year, 10, 1) + 2 * HOUR_MS - DAYLIGHT_OFFSET_MS
  return ms >= begins && ms < ends ? DAYLIGHT_OFFSET_MS : STANDARD_OFFSET_MS
}

function fromLocal(localMs: number): number {
  return localMs - newYorkOffsetMs(localMs - STANDARD_OFFSET_MS)
}

export function isGoldOpen(ms: number): boolean {
  const local = ms + newYorkOffsetMs(ms)
  const day = weekday(local)
  const ofDay = local - Math.floor(local / DAY_MS) * DAY_MS
  if (day === SATURDAY) return false
  if (day === SUNDAY) return ofDay >= OPENS_MS
  if (day === FRIDAY) return ofDay < CLOSES_MS
  return ofDay < CLOSES_MS || ofDay >= OPENS_MS
}

function nextLocal(ms: number, ofDayMs: number, isDay: (day: number) => boolean): number {
  const midnight = Math.floor((ms + newYorkOffsetMs(ms)) / DAY_MS) * DAY_MS
  for (let day = midnight; ; day += DAY_MS) {
    const at = fromLocal(day + ofDayMs)
    if (isDay(weekday(day)) && at > ms) return at
  }
}

export const nextOpening = (ms: number): number => nextLocal(ms, OPENS_MS, (day) => day !== FRIDAY && day !== SATURDAY)

export const nextClosing = (ms: number): number => nextLocal(ms, CLOSES_MS, (day) => day !== SUNDAY && day !== SATURDAY)

export const isOpenThrough = (fromMs: number, toMs: number): boolean => isGoldOpen(fromMs) && nextClosing(fromMs) > toMs
