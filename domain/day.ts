export type Day = string

/** Asia/Ho_Chi_Minh is UTC+7 all year. */
const AHEAD_MS = 7 * 3_600_000
const DAY_MS = 24 * 3_600_000

/** The years that people and calls may name: 1900 to 2099 (rules §6.1). */
const YEARS = /^(?:19|20)\d\d-\d\d-\d\d$/

export const clockTextOf = (atMs: number): string =>
  new Date(atMs + AHEAD_MS).toISOString().slice(0, 19).replace('T', ' ')

/** Returns the day in Vietnam of an instant in Unix ms. */
export const dayOf = (atMs: number): Day => clockTextOf(atMs).slice(0, 10)

export const isDay = (text: string): text is Day =>
  // Some browsers parse a day that its month lacks, such as 31 April, as a later day; others do not parse it.
  YEARS.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text)

export const startOfDayMs = (day: Day): number => Date.parse(`${day}T00:00:00.000Z`) - AHEAD_MS

export const midnightBeforeMs = (atMs: number): number => startOfDayMs(dayOf(atMs))

export const dayAfter = (day: Day, days = 1): Day => dayOf(startOfDayMs(day) + days * DAY_MS)
