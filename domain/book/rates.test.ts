import { expect, test } from 'vitest'
import { NO_COUNTS } from './rate-counts.ts'
import { measuredRates } from './rates.ts'

test('shares stand beside their intervals, and the players’ sum beside its band', () => {
  const rates = measuredRates({
    ...NO_COUNTS,
    ...{ up: 45, down: 50, ties: 3, missing: 2 },
    ...{ won: 40, lost: 60, tied: 15, voided: 5 },
    ...{ staked: 120_000, profit: -1000, squares: 250_000n },
    ...{ late: 6, lateWon: 3, lateLost: 1 },
  })
  expect(rates.up).toMatchObject({ count: 45, of: 100, share: 0.45 })
  expect(rates.missing.share).toBe(0.02)
  // Wilson's interval of 40 in 100, as published tables have it.
  expect(rates.won.range?.low).toBeCloseTo(0.3094, 4)
  expect(rates.won.range?.high).toBeCloseTo(0.498, 4)
  expect(rates.tied).toMatchObject({ count: 15, of: 120, share: 0.125 })
  expect(rates.late).toMatchObject({ count: 6, of: 120, share: 0.05 })
  expect(rates.lateWon).toMatchObject({ count: 3, of: 4, share: 0.75 })
  // 1.96 times the root of 250,000.
  expect(rates).toMatchObject({ playersSum: -1000, band: 980 })
})

test('of nothing there is no share', () => {
  const rates = measuredRates(NO_COUNTS)
  expect(rates.won).toEqual({ count: 0, of: 0, share: null, range: null })
  expect(rates).toMatchObject({ playersSum: 0, band: 0 })
})
