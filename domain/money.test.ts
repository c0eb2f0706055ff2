import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  BALANCE_MAX_MINOR as limitMinor,
  minorFromNumber,
  minorToNumber,
  minorToText,
  percentOf,
  points,
} from './money.ts'

const amounts = fc.bigInt({ min: -limitMinor, max: limitMinor })

describe('the wire’s number', () => {
  test('carries every amount within the limits there and back exactly', () => {
    fc.assert(fc.property(amounts, (minor) => minorFromNumber(minorToNumber(minor)) === minor))
  })

  test('survives JSON, where it really travels', () => {
    fc.assert(
      fc.property(amounts, (minor) => {
        const wire: unknown = JSON.parse(JSON.stringify(minorToNumber(minor)))
        return typeof wire === 'number' && minorFromNumber(wire) === minor
      }),
    )
  })

  test('is exact at the limits and around every cent that floating point gets wrong', () => {
    for (const minor of [0n, 1n, -1n, 10n, 29n, 57n, 110n, 115n, limitMinor, limitMinor - 1n, -limitMinor + 1n]) {
      expect(minorFromNumber(minorToNumber(minor))).toBe(minor)
    }
    for (let cents = 0; cents < 20_000; cents++) expect(minorFromNumber(cents / 100)).toBe(BigInt(cents))
  })

  test.each([
    ['a third decimal', 1.005],
    ['a sum that is no decimal', 0.1 + 0.2],
    ['NaN', Number.NaN],
    ['infinity', Number.POSITIVE_INFINITY],
    ['minus infinity', Number.NEGATIVE_INFINITY],
    ['an exponent upwards', 1e21],
    ['an exponent downwards', 1e-7],
  ])('is refused when it is %s', (_, value) => {
    expect(minorFromNumber(value)).toBeNull()
  })

  test('with more than two decimals is always refused, never rounded', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: 1, max: 9 }), (hundredths, third) => {
        const value = Number(
          `${Math.trunc(hundredths / 100)}.${String(Math.abs(hundredths % 100)).padStart(2, '0')}${third}`,
        )
        expect(minorFromNumber(value)).toBeNull()
      }),
    )
  })

  test('reads minus zero as zero', () => {
    expect(minorFromNumber(-0)).toBe(0n)
  })
})

describe('the text of an amount', () => {
  test('has exactly two decimals and its sign', () => {
    expect([0n, 5n, -5n, 100n, -123_456n, limitMinor].map(minorToText)).toEqual([
      '0.00',
      '0.05',
      '-0.05',
      '1.00',
      '-1234.56',
      '1000000000000.00',
    ])
  })

  test('holds nothing but digits, a point and a sign', () => {
    fc.assert(fc.property(amounts, (minor) => /^-?\d+\.\d\d$/.test(minorToText(minor))))
  })
})

describe('per cent of an amount', () => {
  test('is exact for whole points', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e9 }), fc.integer({ min: 0, max: 100 }), (whole, percent) => {
        // A point is 100 minor units, so one per cent of it is one.
        expect(percentOf(points(whole), percent)).toBe(BigInt(whole) * BigInt(percent))
      }),
    )
  })

  test('of a fraction of a point is refused instead of rounded', () => {
    expect(() => percentOf(150n, 5)).toThrow(RangeError)
    expect(() => percentOf(-1n, 5)).toThrow(RangeError)
  })
})
