import { dayAfter, dayOf, startOfDayMs } from '#domain/day.ts'

const hourMs = 3_600_000
const morning = (day: string) => startOfDayMs(day) + 8 * hourMs

/** Returns the offered times of a snooze: in 1 or 3 hours, tomorrow or on Monday at 8:00 in Vietnam. */
export function snoozeChoices(nowMs: number) {
  const tomorrow = dayAfter(dayOf(nowMs))
  const weekday = new Date(startOfDayMs(dayOf(nowMs)) + 12 * hourMs).getUTCDay()
  const monday = dayAfter(dayOf(nowMs), (8 - weekday) % 7 || 7)
  return [
    { id: 'hour', atMs: nowMs + hourMs },
    { id: 'hours', atMs: nowMs + 3 * hourMs },
    { id: 'tomorrow', atMs: morning(tomorrow) },
    ...(monday === tomorrow ? [] : [{ id: 'monday', atMs: morning(monday) } as const]),
  ] as const
}
