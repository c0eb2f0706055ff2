import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DEFAULT_PREFERENCES, decidePreferences, PUSH_ATTEMPTS, pushRetryMs, quietUntilMs } from './push.ts'

/** An instant of 2026-06-01 in Vietnam. */
const at = (hour: number, minute = 0, second = 0) => Date.UTC(2026, 5, 1, hour - 7, minute, second)
const night = { fromMinute: 22 * 60, toMinute: 7 * 60 }
const noon = { fromMinute: 12 * 60, toMinute: 13 * 60 + 30 }

describe('quiet hours', () => {
  test.each([
    ['before them', night, at(21, 59, 59), null],
    ['at their first second', night, at(22), at(31)],
    ['before midnight', night, at(23, 59, 59), at(31)],
    ['after midnight', night, at(0, 0, 1), at(7)],
    ['in their last second', night, at(6, 59, 59), at(7)],
    ['at their end', night, at(7), null],
    ['within a day', noon, at(12, 45), at(13, 30)],
    ['outside within a day', noon, at(13, 30), null],
    ['none', null, at(23), null],
  ])('%s', (_, quiet, nowMs, untilMs) => {
    expect(quietUntilMs(quiet, nowMs)).toBe(untilMs)
  })

  test('end in the future, within a day, and are over then', () => {
    const minute = fc.integer({ min: 0, max: 1439 })
    fc.assert(
      fc.property(minute, minute, fc.integer({ min: 0, max: 4e12 }), (fromMinute, toMinute, nowMs) => {
        fc.pre(fromMinute !== toMinute)
        const quiet = { fromMinute, toMinute }
        const untilMs = quietUntilMs(quiet, nowMs)
        if (untilMs === null) return
        expect(untilMs).toBeGreaterThan(nowMs)
        expect(untilMs - nowMs).toBeLessThanOrEqual(86_400_000)
        expect(quietUntilMs(quiet, untilMs)).toBeNull()
        expect(quietUntilMs(quiet, untilMs - 1)).toBe(untilMs)
      }),
    )
  })

  test('that begin when they end are refused', () => {
    expect(decidePreferences({ ...DEFAULT_PREFERENCES, quiet: { fromMinute: 60, toMinute: 60 } })).toBe(
      'QUIET_HOURS_EMPTY',
    )
    expect(decidePreferences(DEFAULT_PREFERENCES)).toBeNull()
    expect(decidePreferences({ ...DEFAULT_PREFERENCES, quiet: null })).toBeNull()
  })
})

describe('the wait before the next attempt', () => {
  test('grows, and ends', () => {
    const waits = [1, 2, 3, 4, 5, 6].map((attempts) => pushRetryMs(attempts, null))
    expect(waits).toEqual([10_000, 40_000, 160_000, 640_000, 2_560_000, null])
    expect(PUSH_ATTEMPTS).toBe(6)
  })

  test('is as long as the push service wishes, an hour at most', () => {
    expect(pushRetryMs(1, 120_000)).toBe(120_000)
    expect(pushRetryMs(3, 1_000)).toBe(160_000)
    expect(pushRetryMs(1, 86_400_000)).toBe(3_600_000)
    expect(pushRetryMs(6, 1_000)).toBeNull()
  })
})
