import { describe, expect, test } from 'vitest'
import {
  type ChartRound,
  hasHole,
  leadOf,
  nowSecondOf,
  pointsOf,
  priceSpan,
  type RoundTick,
  secondsOf,
  ticksOf,
  timeMarks,
  tintsOf,
} from './live-round.ts'

const round: ChartRound = {
  id: 'round',
  source: 'simulated',
  sourceLabel: 'Giá mô phỏng',
  opensAtMs: 1_000_000,
  closesAtMs: 1_030_000,
  openPrice: null,
}
const tick = (second: number, price: number | null = 4_000_000 + second): RoundTick => ({ second, price })
const at = (second: number) => second * 1000

test('the time axis goes from the opening to the end, both included', () => {
  expect(secondsOf(round)).toEqual([1_000, 1_030])
})

test.each([
  [30, [0, 10, 20, 30]],
  [60, [0, 15, 30, 45, 60]],
  [90, [0, 30, 60, 90]],
  [120, [0, 30, 60, 90, 120]],
])('a round of %d s has times under its axis', (seconds, marks) => {
  const long = { ...round, closesAtMs: round.opensAtMs + seconds * 1000 }
  expect(timeMarks(long).map((second) => second - 1_000)).toEqual(marks)
})

describe('the known seconds', () => {
  test('are those of the round, ascending, once each; what arrived later counts', () => {
    const answered = [tick(999), tick(1_000, 1), tick(1_001, null), tick(1_002, 2)]
    const live = [tick(1_004, 4), tick(1_003, 3), tick(1_002, 22), tick(1_031, 5)]
    expect(ticksOf(round, answered, live)).toEqual([
      tick(1_000, 1),
      tick(1_001, null),
      tick(1_002, 22),
      tick(1_003, 3),
      tick(1_004, 4),
    ])
  })

  test('make points of those with a price; the line breaks over seconds without one', () => {
    const ticks = [tick(1_000, 1), tick(1_001, 2), tick(1_002, null), tick(1_003, 3), tick(1_004, 4), tick(1_007, 5)]
    expect(pointsOf(ticks)).toEqual([
      { second: 1_000, price: 1, isBroken: false },
      { second: 1_001, price: 2, isBroken: true },
      { second: 1_003, price: 3, isBroken: false },
      { second: 1_004, price: 4, isBroken: true },
      { second: 1_007, price: 5, isBroken: false },
    ])
  })
})

describe('a hole', () => {
  const until = (last: number) => Array.from({ length: last - 1_000 + 1 }, (_, index) => tick(1_000 + index))
  test.each([
    ['no second is due yet', [], 1_001, false],
    ['the opening was missed', [], 1_002, true],
    ['every second is known up to now', until(1_010), 1_010, false],
    ['the newest two may still be on their way', until(1_010), 1_012, false],
    ['one is late', until(1_010), 1_013, true],
    ['a second in between is unknown', until(1_010).filter(({ second }) => second !== 1_004), 1_010, true],
    ['a second without a price is known', [...until(1_009), tick(1_010, null)], 1_012, false],
    ['the round is long over and whole', until(1_030), 1_900, false],
    ['its last second is missing', until(1_029), 1_900, true],
  ])('%s', (_, ticks, second, expected) => {
    expect(hasHole(round, ticks, at(second))).toBe(expected)
  })
})

describe('the price scale', () => {
  const points = (...prices: number[]) => pointsOf(prices.map((price, index) => tick(1_000 + index, price)))
  test('holds every price and the entry', () => {
    expect(priceSpan(points(4_000_000, 4_000_500), null)).toEqual([4_000_000, 4_000_500])
    expect(priceSpan(points(4_000_000, 4_000_500), 3_999_000)).toEqual([3_999_000, 4_000_500])
  })
  test('is never less than ten cents high, so that a quiet round looks quiet', () => {
    expect(priceSpan(points(4_000_000, 4_000_010), null)).toEqual([3_999_955, 4_000_055])
    expect(priceSpan(points(4_000_000), null)).toEqual([3_999_950, 4_000_050])
  })
  test('is absent before the first price', () => expect(priceSpan([], null)).toBeNull())
})

describe('who is ahead', () => {
  test.each([
    ['up', 4_000_212, 'ahead'],
    ['up', 3_999_788, 'behind'],
    ['down', 3_999_788, 'ahead'],
    ['down', 4_000_212, 'behind'],
    ['up', 4_000_000, 'level'],
    ['down', 4_000_000, 'level'],
  ] as const)('a bet on %s at a price of %d', (direction, price, way) => {
    expect(leadOf({ direction }, 4_000_000, price)).toBe(way)
  })

  test('the tint of a bet on a fall is the other way round', () => {
    expect(tintsOf({ direction: 'up' })).toEqual({ above: 'up', below: 'down' })
    expect(tintsOf({ direction: 'down' })).toEqual({ above: 'down', below: 'up' })
  })
})

test.each([
  ['the newest tick is this second’s', 1_010, 1_010, 1_010],
  ['this second’s tick is still on its way', 1_009, 1_010, 1_009],
  ['no tick comes any more', 1_005, 1_010, 1_010],
  ['nothing came yet', null, 1_003, 1_003],
  ['the round has not begun by this clock', null, 990, 1_000],
  ['the round is over', 1_030, 1_040, 1_030],
])('the line of now, when %s', (_, newest, clock, expected) => {
  const point = newest === null ? undefined : { second: newest, price: 1, isBroken: false }
  expect(nowSecondOf(round, point, at(clock))).toBe(expected)
})
