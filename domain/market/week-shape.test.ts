import fc from 'fast-check'
import { expect, test } from 'vitest'
import { WEEK_POINTS, weekShape } from './week-shape.ts'

test('the lowest price is 0, the highest 100, and the newest is last', () => {
  expect(weekShape([10, 20, 15])).toEqual([0, 100, 50])
  expect(weekShape([4_132_114, 4_132_114])).toEqual([50, 50])
  expect(weekShape([5])).toEqual([])
  expect(weekShape([])).toEqual([])
  const hours = Array.from({ length: 168 }, (_, hour) => hour)
  expect(weekShape(hours)).toHaveLength(WEEK_POINTS)
  expect(weekShape(hours).at(-1)).toBe(100)
})

test('whatever the prices, the shape keeps to its bounds', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 1e-9, max: 1e9, noNaN: true }), { minLength: 2, maxLength: 400 }),
      (prices) => {
        const shape = weekShape(prices)
        expect(shape.length).toBe(Math.min(WEEK_POINTS, prices.length))
        for (const value of shape) expect(value >= 0 && value <= 100 && Number.isInteger(value)).toBe(true)
      },
    ),
  )
})
