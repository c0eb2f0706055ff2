import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clockTextOf } from '../day.ts'
import {
  AWAY_TEXT_MAX,
  decideHours,
  isOpenAt,
  minuteText,
  nextOpeningMs,
  openForMs,
  type Week,
  weekdayOf,
} from './hours.ts'

const minuteMs = 60_000
const dayMs = 1_440 * minuteMs
/** An instant by Vietnam's clocks. */
const at = (clock: string) => Date.parse(`${clock.replace(' ', 'T')}+07:00`)
const office = { fromMinute: 480, toMinute: 1_020 }
const whole = { fromMinute: 0, toMinute: 1_440 }
const always: Week = Array.from({ length: 7 }, () => whole)
const never: Week = Array.from({ length: 7 }, () => null)
/** Monday to Friday. */
const workdays: Week = [office, office, office, office, office, null, null]
/** 20 November 2026 is a Friday. */
const friday = '2026-11-20'
const opening = (week: Week, clock: string) => {
  const opensMs = nextOpeningMs(week, at(clock))
  return opensMs === null ? null : clockTextOf(opensMs)
}

test('days of a week are those of Vietnam, Monday first', () => {
  expect(weekdayOf(at(`${friday} 00:00:00`))).toBe(4)
  expect(weekdayOf(at(`${friday} 00:00:00`) - 1)).toBe(3)
  expect(weekdayOf(at('2026-11-22 23:59:59'))).toBe(6)
  expect(weekdayOf(at('2026-11-23 00:00:00'))).toBe(0)
})

describe('the next opening', () => {
  test('is now while it is open: from the first minute on, no more in the last one', () => {
    expect(opening(workdays, `${friday} 07:59:59`)).toBe(`${friday} 08:00:00`)
    expect(opening(workdays, `${friday} 08:00:00`)).toBe(`${friday} 08:00:00`)
    expect(opening(workdays, `${friday} 16:59:59`)).toBe(`${friday} 16:59:59`)
    expect(opening(workdays, `${friday} 17:00:00`)).toBe('2026-11-23 08:00:00')
  })
  test('is found across closed days, a week later on the same day, and not where no day is open', () => {
    expect(opening(workdays, '2026-11-21 12:00:00')).toBe('2026-11-23 08:00:00')
    expect(opening([null, null, null, null, office, null, null], `${friday} 18:00:00`)).toBe('2026-11-27 08:00:00')
    expect(opening(never, `${friday} 12:00:00`)).toBeNull()
  })
  test('of days that are open as a whole is now, at midnight too', () => {
    expect(opening(always, `${friday} 00:00:00`)).toBe(`${friday} 00:00:00`)
    expect(opening([null, null, null, null, whole, null, null], '2026-11-21 00:00:00')).toBe('2026-11-27 00:00:00')
  })
})

const minute = fc.integer({ min: 0, max: 1_440 })
const day = fc.option(
  fc
    .tuple(minute, minute)
    .filter(([a, b]) => a !== b)
    .map(([a, b]) => ({ fromMinute: Math.min(a, b), toMinute: Math.max(a, b) })),
)
const anyWeek = fc.array(day, { minLength: 7, maxLength: 7 })
const anyMoment = fc.integer({ min: 0, max: 4_000_000_000_000 })

/** Said apart from the rule, by Vietnam's clock. */
const isOpenByClock = (week: Week, atMs: number): boolean => {
  const inVietnam = new Date(atMs + 7 * 60 * minuteMs)
  const hours = week[(inVietnam.getUTCDay() + 6) % 7] ?? null
  const nth = inVietnam.getUTCHours() * 60 + inVietnam.getUTCMinutes()
  return hours !== null && hours.fromMinute <= nth && nth < hours.toMinute
}

test('whatever the hours: it is open at the next opening, and closed at each minute before it', () => {
  fc.assert(
    fc.property(anyWeek, anyMoment, (week, nowMs) => {
      expect(isOpenAt(week, nowMs)).toBe(isOpenByClock(week, nowMs))
      const opensMs = nextOpeningMs(week, nowMs)
      expect(opensMs === null).toBe(week.every((one) => one === null))
      const untilMs = opensMs ?? nowMs + 7 * dayMs
      expect(untilMs - nowMs).toBeLessThanOrEqual(7 * dayMs)
      for (let ms = nowMs; ms < untilMs; ms += 17 * minuteMs) expect(isOpenByClock(week, ms)).toBe(false)
      if (opensMs === null) return
      expect(isOpenByClock(week, opensMs)).toBe(true)
      if (opensMs > nowMs) expect(isOpenByClock(week, opensMs - 1)).toBe(false)
    }),
    { examples: [[[...always], 0]] },
  )
})

describe('open time in the past', () => {
  test('leaves closed hours out, and nothing is due while it is closed', () => {
    const fiveMs = 5 * minuteMs
    expect(openForMs(always, at(`${friday} 00:02:00`), fiveMs)).toBe(at('2026-11-19 23:57:00'))
    expect(openForMs(workdays, at('2026-11-23 08:03:00'), fiveMs)).toBe(at(`${friday} 16:58:00`))
    expect(openForMs(workdays, at('2026-11-23 08:05:00'), fiveMs)).toBe(at('2026-11-23 08:00:00'))
    expect(openForMs(workdays, at('2026-11-23 07:59:59'), fiveMs)).toBeNull()
    // A minute a week.
    const scarce: Week = [{ fromMinute: 0, toMinute: 1 }, ...never.slice(1)]
    expect(openForMs(scarce, at('2026-11-23 00:00:30'), fiveMs)).toBe(at('2026-10-19 00:00:30'))
  })

  test('whatever the hours: so many open minutes lie between', () => {
    fc.assert(
      fc.property(anyWeek, anyMoment, fc.integer({ min: 1, max: 90 }), (week, someMs, minutes) => {
        const nowMs = Math.floor(someMs / minuteMs) * minuteMs
        const sinceMs = openForMs(week, nowMs, minutes * minuteMs)
        expect(sinceMs === null).toBe(!isOpenByClock(week, nowMs))
        if (sinceMs === null || nowMs - sinceMs > 7 * dayMs) return
        let open = 0
        for (let ms = sinceMs; ms < nowMs; ms += minuteMs) if (isOpenByClock(week, ms)) open += 1
        expect(open).toBe(minutes)
      }),
    )
  })
})

test('hours end after they begin, and the text for players says something', () => {
  const awayText = 'Hẹn gặp lại'
  expect(decideHours({ week: always, awayText })).toBeNull()
  expect(decideHours({ week: never, awayText: ` ${'a'.repeat(AWAY_TEXT_MAX)} ` })).toBeNull()
  for (const toMinute of [480, 479])
    expect(decideHours({ week: [null, null, { fromMinute: 480, toMinute }, ...never.slice(3)], awayText })).toEqual({
      code: 'HOURS_INVALID',
      weekday: 2,
    })
  for (const wrong of ['', ' \u200B', 'a'.repeat(AWAY_TEXT_MAX + 1)])
    expect(decideHours({ week: always, awayText: wrong })).toEqual({ code: 'AWAY_TEXT_INVALID' })
})

test('minutes are written as clocks show them', () => {
  expect([0, 485, 1_440].map(minuteText)).toEqual(['00:00', '08:05', '24:00'])
})
