import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fairCoinBand, longestRunByChance, wilsonInterval } from './chance.ts'

describe('the Wilson interval', () => {
  test('is the one of the literature', () => {
    // Newcombe, Statistics in Medicine 17 (1998), table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
    const rounded = (won: number, decided: number) => {
      const { low, high } = wilsonInterval(won, decided) ?? { low: Number.NaN, high: Number.NaN }
      return [low.toFixed(4), high.toFixed(4)]
    }
    expect(rounded(81, 263)).toEqual(['0.2553', '0.3662'])
    expect(rounded(15, 148)).toEqual(['0.0624', '0.1605'])
    expect(rounded(0, 20)).toEqual(['0.0000', '0.1611'])
    expect(rounded(1, 29)).toEqual(['0.0061', '0.1718'])
    expect(wilsonInterval(0, 0)).toBeNull()
  })

  test('holds the share itself, stays a share, mirrors wins and losses, and narrows with more bets', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), fc.double({ min: 0, max: 1, noNaN: true }), (decided, part) => {
        const won = Math.round(decided * part)
        const range = wilsonInterval(won, decided)
        const mirror = wilsonInterval(decided - won, decided)
        const longer = wilsonInterval(won * 4, decided * 4)
        if (range === null || mirror === null || longer === null) throw new Error('There are decided bets.')
        expect(range.low).toBeGreaterThanOrEqual(0)
        expect(range.low).toBeLessThanOrEqual(won / decided)
        expect(range.high).toBeGreaterThanOrEqual(won / decided)
        expect(range.high).toBeLessThanOrEqual(1)
        expect(range.low).toBeCloseTo(1 - mirror.high, 10)
        expect(longer.high - longer.low).toBeLessThan(range.high - range.low)
      }),
    )
  })
})

/** Every series of so many tosses, as texts of H and T. */
const everySeries = (tosses: number): string[] =>
  Array.from({ length: 2 ** tosses }, (_, at) =>
    at.toString(2).padStart(tosses, '0').slice(-tosses).replaceAll('1', 'H').replaceAll('0', 'T'),
  )

describe('the band of a fair coin', () => {
  test('holds 95 % of all series, and would not if it were narrower', () => {
    for (let tosses = 1; tosses <= 14; tosses++) {
      const heads = everySeries(tosses).map((series) => series.replaceAll('T', '').length)
      const held = (low: number) => heads.filter((count) => count >= low && count <= tosses - low).length / heads.length
      const band = fairCoinBand(tosses)
      const low = Math.round((band?.low ?? Number.NaN) * tosses)
      expect(held(low)).toBeGreaterThanOrEqual(0.95)
      expect(held(low + 1)).toBeLessThan(0.95)
      expect(band).toEqual({ low: low / tosses, high: (tosses - low) / tosses })
    }
    expect(fairCoinBand(0)).toBeNull()
  })

  test('is that of the normal distribution for many tosses', () => {
    for (const tosses of [1_000, 9_999, 100_000, 1_000_000]) {
      const { low, high } = fairCoinBand(tosses) ?? { low: Number.NaN, high: Number.NaN }
      expect(low + high).toBeCloseTo(1, 12)
      expect(Math.abs(0.5 - low - 0.98 / Math.sqrt(tosses))).toBeLessThan(1 / tosses)
    }
  })
})

describe('the longest run of a fair coin', () => {
  test('is that of all series, counted one by one', () => {
    for (let tosses = 0; tosses <= 14; tosses++) {
      const runs = everySeries(tosses)
        .map((series) => Math.max(...series.split('T').map(({ length }) => length)))
        .toSorted((a, b) => a - b)
      const { expected, low, high } = longestRunByChance(tosses)
      expect(expected).toBeCloseTo(runs.reduce((sum, run) => sum + run, 0) / runs.length, 10)
      const share = (test: (run: number) => boolean) => runs.filter(test).length / runs.length
      expect(share((run) => run < low)).toBeLessThan(0.025)
      expect(share((run) => run > high)).toBeLessThanOrEqual(0.025)
      expect(share((run) => run >= low && run <= high)).toBeGreaterThanOrEqual(0.95)
    }
  })

  test('grows by about one with every doubling, as Schilling shows', () => {
    // log2(n) − 0.67, with an error below 0.03 for long series.
    for (const tosses of [200, 1_000, 10_000, 100_000])
      expect(Math.abs(longestRunByChance(tosses).expected - (Math.log2(tosses) - 0.667))).toBeLessThan(0.03)
  })

  test('never shrinks with more tosses', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3_000 }), (tosses) => {
        const [less, more] = [longestRunByChance(tosses), longestRunByChance(tosses + 1)]
        expect(more.expected).toBeGreaterThan(less.expected)
        expect(more.low).toBeGreaterThanOrEqual(less.low)
        expect(more.high).toBeGreaterThanOrEqual(less.high)
        expect(less.low).toBeLessThanOrEqual(less.high)
      }),
      { numRuns: 50 },
    )
  })
})
