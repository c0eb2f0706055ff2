import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DURATION_S, EPOCH_MS, locksAtMs, RATE_PERCENT, ROUND_TYPES, windowAt, windowOf } from './calendar.ts'

const types = fc.constantFrom(...ROUND_TYPES)
/** Instants from the epoch to the year 2080. */
const instants = fc.integer({ min: EPOCH_MS, max: EPOCH_MS + 54 * 365 * 86_400_000 })

test('rounds are counted from the first second of 2026, UTC', () => {
  expect(new Date(EPOCH_MS).toISOString()).toBe('2026-01-01T00:00:00.000Z')
  for (const type of ROUND_TYPES) {
    expect(windowOf(type, EPOCH_MS)).toMatchObject({ index: 0, roundNumber: 1, opensAtMs: EPOCH_MS })
  }
})

test('lengths and rates are those of spec §9', () => {
  expect(ROUND_TYPES.map((type) => [type, DURATION_S[type], RATE_PERCENT[type]])).toEqual([
    ['30s', 30, 5],
    ['60s', 60, 7],
    ['90s', 90, 9],
    ['120s', 120, 12],
  ])
})

describe('windows', () => {
  test('cover every instant exactly once', () => {
    fc.assert(
      fc.property(types, instants, (type, nowMs) => {
        const window = windowOf(type, nowMs)
        expect(window.opensAtMs).toBeLessThanOrEqual(nowMs)
        expect(nowMs).toBeLessThan(window.closesAtMs)
        expect(windowAt(type, window.index)).toEqual(window)
      }),
    )
  })

  test('follow one another without a gap or an overlap', () => {
    fc.assert(
      fc.property(types, fc.nat(60_000_000), (type, index) => {
        const [window, next] = [windowAt(type, index), windowAt(type, index + 1)]
        expect(window.closesAtMs).toBe(next.opensAtMs)
        expect(window.closesAtMs - window.opensAtMs).toBe(DURATION_S[type] * 1000)
        expect(windowOf(type, window.closesAtMs - 1)).toEqual(window)
        expect(windowOf(type, window.closesAtMs)).toEqual(next)
      }),
    )
  })

  test('have consecutive round numbers from 1', () => {
    fc.assert(
      fc.property(types, instants, (type, nowMs) => {
        const { index, roundNumber } = windowOf(type, nowMs)
        expect(roundNumber).toBe(index + 1)
        expect(roundNumber).toBeGreaterThan(0)
      }),
    )
  })

  test('begin and end on whole seconds, where ticks are', () => {
    fc.assert(
      fc.property(types, instants, (type, nowMs) => {
        const { opensAtMs, closesAtMs } = windowOf(type, nowMs)
        expect([opensAtMs % 1000, closesAtMs % 1000]).toEqual([0, 0])
      }),
    )
  })
})

test('betting ends one second before the end, three seconds in a live round', () => {
  const { closesAtMs } = windowOf('30s', EPOCH_MS)
  expect([locksAtMs(closesAtMs, false), locksAtMs(closesAtMs, true)]).toEqual([closesAtMs - 1000, closesAtMs - 3000])
})
