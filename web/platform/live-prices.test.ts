import { beforeEach, expect, test } from 'vitest'
import { feedStateAt, forgetPrices, newestPrice, onLivePrice, priceAt, recordTick } from './live-prices.ts'

const tick = (second: number, price: number | null, source = 'simulated') => ({
  source,
  sourceLabel: source,
  second,
  price,
  quoteAtMs: price === null ? null : second * 1000 - 400,
  serverTimeMs: second * 1000 + 450,
})

beforeEach(forgetPrices)

test('each source has its own newest price', () => {
  recordTick(tick(100, 4_000_001))
  recordTick(tick(100, 4_100_000, 'pyth'))
  recordTick(tick(101, 4_000_002))
  expect(newestPrice('simulated')).toEqual({
    source: 'simulated',
    second: 101,
    price: 4_000_002,
    quoteAtMs: 100_600,
  })
  expect(newestPrice('pyth')?.price).toBe(4_100_000)
  expect(newestPrice('swissquote')).toBeUndefined()
})

test('a missing tick changes nothing: the price stays and ages', () => {
  recordTick(tick(100, 4_000_001))
  recordTick(tick(101, null))
  expect(newestPrice('simulated')?.second).toBe(100)
})

test('after the server’s clock was set back its new prices are accepted', () => {
  recordTick(tick(3_600, 4_000_001))
  recordTick(tick(3_601, 4_000_002))
  recordTick(tick(100, 4_100_000))
  expect(newestPrice('simulated')).toMatchObject({ second: 100, price: 4_100_000 })
  expect(priceAt('simulated', 3_601)).toBeUndefined()
})

test('a late or repeated tick does not become the newest', () => {
  const seen: number[] = []
  const stop = onLivePrice((price) => seen.push(price.price))
  recordTick(tick(101, 2))
  recordTick(tick(100, 1))
  recordTick(tick(101, 3))
  stop()
  recordTick(tick(102, 4))
  expect(seen).toEqual([2])
})

test('the price of a second is available for the length of the longest round', () => {
  for (let second = 1; second <= 200; second++) recordTick(tick(second, second * 10))
  expect(priceAt('simulated', 200)).toBe(2_000)
  expect(priceAt('simulated', 80)).toBe(800)
  expect(priceAt('simulated', 60)).toBeUndefined()
})

test.each([
  [0, 'fresh'],
  [1_999, 'fresh'],
  [2_000, 'late'],
  [5_000, 'late'],
  [5_001, 'silent'],
  [Number.POSITIVE_INFINITY, 'silent'],
])('a quote of %d ms makes the feed %s', (ageMs, state) => {
  expect(feedStateAt(ageMs)).toBe(state)
})
