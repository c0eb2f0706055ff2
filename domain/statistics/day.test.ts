import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayStartMs } from '../game/limits.ts'
import { dayAfter, dayOf, startOfDayMs } from './day.ts'

test('a day begins at midnight in Vietnam, as for the limits', () => {
  expect(dayOf(Date.UTC(2026, 10, 20, 16, 59, 59, 999))).toBe('2026-11-20')
  expect(dayOf(Date.UTC(2026, 10, 20, 17))).toBe('2026-11-21')
  expect(dayAfter('2026-12-31')).toBe('2027-01-01')
  expect(dayAfter('2028-03-01', -1)).toBe('2028-02-29')
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_000_000_000_000 }), (atMs) => {
      expect(startOfDayMs(dayOf(atMs))).toBe(dayStartMs(atMs))
    }),
  )
})
