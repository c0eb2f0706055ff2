import { expect, test } from 'vitest'
import { candleOpening, foldCandles, withGaps } from './candles.ts'

test('a candle opens at a multiple of its length', () => {
  expect(candleOpening(7_199, 60)).toBe(3_600)
  expect(candleOpening(7_200, 60)).toBe(7_200)
  expect(candleOpening(7_259, 1)).toBe(7_200)
})

test('candles are folded from ticks, and seconds without a price add nothing', () => {
  const ticks = [
    { second: 60, price: null },
    { second: 61, price: 10 },
    { second: 62, price: 14 },
    { second: 63, price: 7 },
    { second: 119, price: 11 },
    { second: 120, price: 12 },
    { second: 180, price: null },
    { second: 240, price: 9 },
  ]
  expect(foldCandles(ticks, 1)).toEqual([
    { openedAt: 60, open: 10, high: 14, low: 7, close: 11 },
    { openedAt: 120, open: 12, high: 12, low: 12, close: 12 },
    { openedAt: 240, open: 9, high: 9, low: 9, close: 9 },
  ])
  expect(foldCandles(ticks, 60)).toEqual([{ openedAt: 0, open: 10, high: 14, low: 7, close: 9 }])
  expect(foldCandles([], 1)).toEqual([])
})

test('one gap stands in place of consecutive missing intervals of this source', () => {
  const candle = (openedAt: number) => ({ openedAt, open: 1, high: 1, low: 1, close: 1 })
  expect(withGaps([candle(0), candle(60), candle(240), candle(300)], 1)).toEqual([
    candle(0),
    candle(60),
    { openedAt: 120 },
    candle(240),
    candle(300),
  ])
  expect(withGaps([], 1)).toEqual([])
})
