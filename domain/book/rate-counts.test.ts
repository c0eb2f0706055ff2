import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addCounts, chanceBand, countRound, dayOfRound, isSealedLate, NO_COUNTS } from './rate-counts.ts'

const closesAtMs = 1_800_000_030_000
const line = { basis: 'PRICE', status: 'WIN', why: null, stake: 1_000, profit: 50, at: closesAtMs - 20_000 } as const
const up = { ticks: [1, 2], result: 'UP', by: 'PRICE' } as const

test('the band of chance is 1.96 times the root of the squares', () => {
  expect([chanceBand(250_000n), chanceBand(0n)]).toEqual([980, 0])
})

describe('what is counted of a round', () => {
  test('its result, once', () => {
    const resultOf = (result: Parameters<typeof countRound>[1]) => {
      const { up: ups, down, ties, missing } = countRound(closesAtMs, result).counts()
      return { up: ups, down, ties, missing }
    }
    const none = { up: 0, down: 0, ties: 0, missing: 0 }
    expect(resultOf(up)).toEqual({ ...none, up: 1 })
    expect(resultOf({ ticks: [2, 1], result: 'DOWN', by: 'PRICE' })).toEqual({ ...none, down: 1 })
    expect(resultOf({ ticks: [2, null, 2], result: null, by: 'PRICE' })).toEqual({ ...none, ties: 1 })
    expect(resultOf({ ticks: [2, 3, null], result: null, by: 'PRICE' })).toEqual({ ...none, missing: 1 })
    expect(resultOf({ ticks: [null, 3], result: null, by: 'PRICE' })).toEqual({ ...none, missing: 1 })
    expect(resultOf({ ticks: [1, 2], result: 'DOWN', by: 'ADMIN' })).toEqual(none)
    expect(resultOf(null)).toEqual(none)
  })

  test('its bets that the price decides, and no others', () => {
    const counter = countRound(closesAtMs, up)
    const soon = line.at + 500
    counter.addLine(line, soon)
    counter.addLine({ ...line, status: 'LOSE', profit: -50 }, soon)
    counter.addLine({ ...line, status: 'LOSE', stake: 2_000, profit: -100 }, soon)
    counter.addLine({ ...line, status: 'VOID', why: 'TIE', profit: 0 }, soon)
    counter.addLine({ ...line, status: 'VOID', why: 'NO_TICK', profit: 0 }, soon)
    counter.addLine({ ...line, status: 'VOID', why: 'ROUND_DELETED', profit: 0 }, soon)
    counter.addLine({ ...line, basis: 'ADMIN' }, soon)
    counter.addLine({ ...line, basis: 'SCRIPTED', status: 'LOSE', profit: -50 }, closesAtMs + 1)
    expect(counter.counts()).toEqual({
      ...NO_COUNTS,
      ...{ up: 1, won: 1, lost: 2, tied: 1, voided: 2, staked: 7_000, profit: -100, squares: 10_000n },
    })
  })

  test('bets sealed late, with their outcomes', () => {
    const counter = countRound(closesAtMs, up)
    counter.addLine(line, line.at + 5_000)
    counter.addLine(line, line.at + 5_001)
    counter.addLine({ ...line, status: 'LOSE', profit: -50 }, line.at + 5_001)
    counter.addLine({ ...line, at: closesAtMs - 1_100 }, closesAtMs)
    counter.addLine({ ...line, at: closesAtMs - 1_100, status: 'VOID', why: 'TIE', profit: 0 }, closesAtMs + 1)
    expect(counter.counts()).toMatchObject({ late: 3, lateWon: 1, lateLost: 1 })
    expect(isSealedLate(0, 4_000, 3_999)).toBe(true)
  })
})

test('sums do not depend on how they are cut', () => {
  const counts = fc.record({
    ...Object.fromEntries(
      Object.keys(NO_COUNTS)
        .filter((key) => key !== 'squares')
        .map((key) => [key, fc.integer({ min: -1_000_000, max: 1_000_000 })]),
    ),
    squares: fc.bigInt({ min: 0n, max: 10n ** 20n }),
  }) as unknown as fc.Arbitrary<typeof NO_COUNTS>
  fc.assert(
    fc.property(counts, counts, counts, (a, b, c) => {
      expect(addCounts(addCounts(a, b), c)).toEqual(addCounts(a, addCounts(b, c)))
      expect(addCounts(a, NO_COUNTS)).toEqual(a)
      expect(Object.keys(addCounts(a, b)).toSorted()).toEqual(Object.keys(NO_COUNTS).toSorted())
    }),
  )
})

test('a round counts for the UTC day in which it opens', () => {
  expect(dayOfRound(Date.UTC(2026, 0, 1) - 1)).toBe(dayOfRound(Date.UTC(2026, 0, 1)) - 1)
  expect(dayOfRound(Date.UTC(2026, 0, 1))).toBe(20_454)
})
