import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { freeNumbers, labelPlaces } from './label-places.ts'

describe('labels on the price scale', () => {
  test.each([
    ['far apart, each stands where it belongs', [40, 80], [40, 80]],
    ['close, the second moves away', [40, 45], [40, 58]],
    ['close, on its own side', [40, 33], [40, 22]],
    ['at the same price, one stays', [40, 40], [40, 22]],
    ['at the upper end, within the scale', [2, 4], [9, 27]],
    ['at the lower end, within the scale', [118, 117], [111, 93]],
  ])('%s', (_, wanted, places) => expect(labelPlaces(wanted, 18, 120)).toEqual(places))

  test('never cover each other while there is room, and the first keeps its place', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -20, max: 220 }), { minLength: 1, maxLength: 3 }), (wanted) => {
        const places = labelPlaces(wanted, 18, 200)
        expect(places[0]).toBe(Math.max(9, Math.min(191, wanted[0] ?? 0)))
        for (const [index, place] of places.entries()) {
          expect(place).toBeGreaterThanOrEqual(9)
          expect(place).toBeLessThanOrEqual(191)
          for (const other of places.slice(index + 1)) expect(Math.abs(place - other)).toBeGreaterThanOrEqual(18)
        }
      }),
    )
  })

  test('on a low scale stand in one stack, in the order of their prices', () => {
    expect(labelPlaces([22, 20], 18, 40)).toEqual([30, 12])
    expect(labelPlaces([20, 22], 18, 40)).toEqual([12, 30])
    expect(labelPlaces([39, 39], 18, 40)).toEqual([31, 13])
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 2, maxLength: 3 }), (wanted) => {
        const places = labelPlaces(wanted, 18, 56).toSorted((a, b) => a - b)
        expect((places[0] ?? 0) >= 9 && (places.at(-1) ?? 0) <= 47).toBe(true)
        for (const [index, place] of places.entries())
          if (index > 0) expect(place - (places[index - 1] ?? 0)).toBeGreaterThanOrEqual(18)
      }),
    )
  })

  test('a number of the scale that a label would touch is left out', () => {
    const numbers = [{ y: 10 }, { y: 40 }, { y: 70 }, { y: 100 }]
    expect(freeNumbers(numbers, [52, 118], 18)).toEqual([{ y: 10 }, { y: 70 }, { y: 100 }])
    expect(freeNumbers(numbers, [], 18)).toEqual(numbers)
  })
})
