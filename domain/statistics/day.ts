/** A day in Vietnam as `2026-11-20`. */
export type Day = string

/** Asia/Ho_Chi_Minh is UTC+7 all year. */
const AHEAD_MS = 25_200_000
const DAY_MS = 86_400_000

/** The day in Vietnam that contains an instant, in Unix ms. Bets count for the day of their acceptance (rules §6.6). */
export const dayOf = (atMs: number): Day => new Date(atMs + AHEAD_MS).toISOString().slice(0, 10)

/** The midnight in Vietnam at which a day begins, in Unix ms. */
export const startOfDayMs = (day: Day): number => Date.parse(`${day}T00:00:00.000Z`) - AHEAD_MS

/** The day that is `days` later, or earlier when negative. */
export const dayAfter = (day: Day, days = 1): Day => dayOf(startOfDayMs(day) + days * DAY_MS)
