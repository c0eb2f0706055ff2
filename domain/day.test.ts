import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clockTextOf, dayAfter, dayOf, isDay, midnightBeforeMs, startOfDayMs } from './day.ts'

const HOUR_MS = 3_600_000

test('a day begins at midnight in Vietnam', () => {
  const midnight = Date.UTC(2026, 5, 14, 17)
  expect([midnight, midnight + 1, midnight + 24 * HOUR_MS - 1].map(midnightBeforeMs)).toEqual([
    midnight,
    midnight,
    midnight,
  ])
  expect(midnightBeforeMs(midnight - 1)).toBe(midnight - 24 * HOUR_MS)
  expect([midnight - 1, midnight].map(dayOf)).toEqual(['2026-06-14', '2026-06-15'])
  expect(clockTextOf(midnight + 17 * HOUR_MS + 305_009)).toBe('2026-06-15 17:05:05')
})

test('a day is a whole one of the calendar, of the years 1900 to 2099', () => {
  for (const day of ['1900-01-01', '2026-11-20', '2028-02-29', '2099-12-31'])
    expect([day, isDay(day)]).toEqual([day, true])
  const none = ['0002-11-20', '0202-11-20', '1899-12-31', '2100-01-01', '9999-12-31', '10000-01-01', '2026-02-30']
  for (const text of [...none, '2026-13-01', '2026-1-1', '2026-11', '', 'NaN', '2026-11-20T00:00:00.000Z'])
    expect([text, isDay(text)]).toEqual([text, false])
})

test('days follow each other over months, years and leap days', () => {
  expect(dayAfter('2026-12-31')).toBe('2027-01-01')
  expect(dayAfter('2028-03-01', -1)).toBe('2028-02-29')
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_000_000_000_000 }), (atMs) => {
      const day = dayOf(atMs)
      expect(startOfDayMs(day)).toBe(midnightBeforeMs(atMs))
      expect(atMs).toBeGreaterThanOrEqual(startOfDayMs(day))
      expect(atMs).toBeLessThan(startOfDayMs(dayAfter(day)))
    }),
  )
})
