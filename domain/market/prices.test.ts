import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { midPrice, PRICE_MAX, priceFromPyth, priceFromScaled } from './prices.ts'

describe('a price in thousandths', () => {
  test.each([
    ['401234567890', -8, 4_012_346],
    ['401234550000', -8, 4_012_346],
    ['401234549999', -8, 4_012_345],
    ['4012345', -3, 4_012_345],
    ['40123455', -4, 4_012_346],
    ['4012', 0, 4_012_000],
    ['4', 3, 4_000_000],
    ['2147483647', -3, PRICE_MAX],
  ])('reads Pyth %s · 10^%i, half away from zero', (price, expo, expected) => {
    expect(priceFromPyth(price, expo)).toBe(expected)
  })

  test.each([
    ['NaN', -8],
    ['', -8],
    ['12.5', -8],
    ['0x10', -3],
    ['-401234567890', -8],
    ['0', -8],
    ['4', -4],
    ['2147483648', -3],
    ['1', 50],
    ['401234567890', 1.5],
    ['401234567890', 1e9],
  ])('takes Pyth %s · 10^%d for no price', (price, expo) => {
    expect(priceFromPyth(price, expo)).toBeNull()
  })

  test.each([
    ['4012.345', 4_012_345],
    ['4012.3455', 4_012_346],
    ['4012.34549', 4_012_345],
    ['4012', 4_012_000],
    ['4.0123455e3', 4_012_346],
    ['5e-4', 1],
  ])('reads the text %s', (text, expected) => {
    expect(midPrice(text, text)).toBe(expected)
  })

  test.each(['', '.5', '4,012', 'Infinity', '-4012.345', '4012.345 ', '4e-4', '1e999'])(
    'takes the text %o for no price',
    (text) => {
      expect(midPrice(text, text)).toBeNull()
    },
  )

  test('is read exactly at every exponent', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: PRICE_MAX }), fc.integer({ min: 0, max: 15 }), (price, digits) => {
        const mantissa = BigInt(price) * 10n ** BigInt(digits)
        expect(priceFromScaled(mantissa, -3 - digits)).toBe(price)
        if (digits === 0) return
        const half = 5n * 10n ** BigInt(digits - 1)
        expect(priceFromScaled(mantissa - half, -3 - digits)).toBe(price)
        expect(priceFromScaled(mantissa + half - 1n, -3 - digits)).toBe(price)
      }),
    )
  })
})

describe('the middle of bid and ask', () => {
  test.each([
    ['4012.014', '4012.676', 4_012_345],
    ['4012.014', '4012.677', 4_012_346],
    ['4012.1', '4012', 4_012_050],
    ['4012', '4012.001', 4_012_001],
  ])('of %s and %s is rounded once', (bid, ask, expected) => {
    expect(midPrice(bid, ask)).toBe(expected)
  })

  test.each([
    ['NaN', '4012'],
    ['-1', '4012'],
    ['0', '4012'],
  ])('of %s and %s is no price', (bid, ask) => {
    expect(midPrice(bid, ask)).toBeNull()
    expect(midPrice(ask, bid)).toBeNull()
  })
})
