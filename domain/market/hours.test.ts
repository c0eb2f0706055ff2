import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isGoldOpen, isOpenThrough, newYorkOffsetMs, nextClosing, nextOpening } from './hours.ts'

const at = (text: string): number => Date.parse(text)

/** The time-zone database's answer. The product computes it without that database. */
const clocks = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/New_York',
  hourCycle: 'h23',
  weekday: 'short',
  hour: 'numeric',
  minute: 'numeric',
  timeZoneName: 'longOffset',
})
function newYork(ms: number): { weekday: string; minutes: number; offset: string } {
  const parts = Object.fromEntries(clocks.formatToParts(ms).map(({ type, value }) => [type, value]))
  return {
    weekday: parts['weekday'] ?? '',
    minutes: Number(parts['hour']) * 60 + Number(parts['minute']),
    offset: parts['timeZoneName'] ?? '',
  }
}
function isOpenByDatabase(ms: number): boolean {
  const { weekday, minutes } = newYork(ms)
  if (weekday === 'Sat') return false
  if (weekday === 'Sun') return minutes >= 18 * 60
  if (weekday === 'Fri') return minutes < 17 * 60
  return minutes < 17 * 60 || minutes >= 18 * 60
}
const anyMs = fc.integer({ min: at('2015-01-01T00:00:00Z') / 1000, max: at('2036-01-01T00:00:00Z') / 1000 })

describe('New York time', () => {
  test.each([
    ['2026-03-08T06:59:59Z', -5],
    ['2026-03-08T07:00:00Z', -4],
    ['2026-11-01T05:59:59Z', -4],
    ['2026-11-01T06:00:00Z', -5],
    ['2027-03-14T07:00:00Z', -4],
    ['2026-01-01T00:00:00Z', -5],
  ])('at %s is %i hours from UTC', (text, hours) => {
    expect(newYorkOffsetMs(at(text))).toBe(hours * 3_600_000)
  })

  test('agrees with the time-zone database over twenty years', () => {
    fc.assert(
      fc.property(anyMs, (second) => {
        const hours = newYorkOffsetMs(second * 1000) / 3_600_000
        expect(newYork(second * 1000).offset).toBe(`GMT-0${-hours}:00`)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('gold trades', () => {
  test.each([
    ['2026-11-20T21:59:59Z', true, 'Friday, a second before 17:00'],
    ['2026-11-20T22:00:00Z', false, 'Friday 17:00'],
    ['2026-11-21T12:00:00Z', false, 'Saturday'],
    ['2026-11-22T22:59:59Z', false, 'Sunday, a second before 18:00'],
    ['2026-11-22T23:00:00Z', true, 'Sunday 18:00'],
    ['2026-11-23T22:00:00Z', false, 'Monday 17:00'],
    ['2026-11-23T22:59:59Z', false, 'Monday, a second before 18:00'],
    ['2026-11-23T23:00:00Z', true, 'Monday 18:00'],
    ['2026-07-06T20:59:59Z', true, 'Monday in summer, a second before 17:00'],
    ['2026-07-06T21:00:00Z', false, 'Monday in summer, 17:00'],
    ['2026-07-06T22:00:00Z', true, 'Monday in summer, 18:00'],
  ])('at %s: %s (%s)', (text, isOpen) => {
    expect(isGoldOpen(at(text))).toBe(isOpen)
  })

  test('as the time-zone database says, and opens and closes exactly at its transitions', () => {
    fc.assert(
      fc.property(anyMs, (second) => {
        const ms = second * 1000
        expect(isGoldOpen(ms)).toBe(isOpenByDatabase(ms))
        const [opens, closes] = [nextOpening(ms), nextClosing(ms)]
        expect(opens).toBeGreaterThan(ms)
        expect(closes).toBeGreaterThan(ms)
        expect([isGoldOpen(opens - 1), isGoldOpen(opens)]).toEqual([false, true])
        expect([isGoldOpen(closes - 1), isGoldOpen(closes)]).toEqual([true, false])
        // The state does not change in between: the next event ends the current state.
        expect(opens < closes).toBe(!isGoldOpen(ms))
      }),
      { numRuns: 1000 },
    )
  })

  test('reopens on Sunday evening, over the end of daylight saving too', () => {
    expect(nextOpening(at('2026-10-30T21:30:00Z'))).toBe(at('2026-11-01T23:00:00Z'))
    expect(nextOpening(at('2026-03-06T23:00:00Z'))).toBe(at('2026-03-08T22:00:00Z'))
    expect(nextOpening(at('2026-11-18T22:30:00Z'))).toBe(at('2026-11-18T23:00:00Z'))
  })
})

test('a round is within the hours only if its last second is', () => {
  expect(isOpenThrough(at('2026-11-20T21:58:30Z'), at('2026-11-20T21:59:59Z'))).toBe(true)
  expect(isOpenThrough(at('2026-11-20T21:58:30Z'), at('2026-11-20T22:00:00Z'))).toBe(false)
  expect(isOpenThrough(at('2026-11-20T22:00:00Z'), at('2026-11-20T22:01:00Z'))).toBe(false)
  expect(isOpenThrough(at('2026-11-23T22:30:00Z'), at('2026-11-23T23:30:00Z'))).toBe(false)
  expect(isOpenThrough(at('2026-11-23T23:00:00Z'), at('2026-11-23T23:02:00Z'))).toBe(true)
})
