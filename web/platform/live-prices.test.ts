import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  feedStateAt,
  forgetPrices,
  newestPrice,
  noteTold,
  onLivePrice,
  priceAt,
  recordQuote,
  recordTick,
  silenceOf,
} from './live-prices.ts'

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

describe('without a socket', () => {
  const quote = (second: number, price: number) =>
    recordQuote({
      source: 'simulated',
      label: 'simulated',
      isLive: false,
      lastPrice: price,
      lastQuoteAtMs: second * 1000,
      closedReason: null,
      goldReopensAtMs: null,
    } as Parameters<typeof recordQuote>[0])

  test('the price of an answer replaces an older tick, and gives way to a newer one', () => {
    const seen: number[] = []
    const stop = onLivePrice(({ price }) => seen.push(price))
    recordTick(tick(100, 1))
    quote(99, 5)
    expect(newestPrice('simulated')?.price).toBe(1)
    quote(104, 2)
    expect(newestPrice('simulated')?.price).toBe(2)
    recordTick(tick(106, 3))
    stop()
    expect(newestPrice('simulated')?.price).toBe(3)
    expect(seen).toEqual([1, 2, 3])
  })

  test('a price from before the server’s clock was set back is dropped', () => {
    quote(3_600, 5)
    recordTick(tick(100, 1))
    expect(newestPrice('simulated')?.price).toBe(1)
  })
})

describe('a price that is too old for a bet', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 100_000 })
    vi.stubGlobal('navigator', { onLine: true })
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
  const later = (ms: number) => vi.setSystemTime(Date.now() + ms)

  test('is told from a fresh one for every source, after 5 s', () => {
    const askedAtMs = Date.now()
    for (const source of ['simulated', 'pyth']) recordTick(tick(100, 4_000_000, source))
    later(4_600)
    expect([silenceOf('simulated', askedAtMs), silenceOf('pyth', askedAtMs)]).toEqual([null, null])
    later(401)
    expect([silenceOf('simulated', askedAtMs), silenceOf('pyth', askedAtMs)]).toEqual(['server', 'server'])
    recordTick(tick(105, 4_000_001))
    expect([silenceOf('simulated', askedAtMs), silenceOf('pyth', askedAtMs)]).toEqual([null, 'feed'])
  })

  test('a server that has no price still tells', () => {
    const askedAtMs = Date.now()
    recordTick(tick(100, 4_000_000, 'pyth'))
    for (let second = 101; second <= 107; second++) {
      later(1_000)
      recordTick(tick(second, null, 'pyth'))
    }
    expect(silenceOf('pyth', askedAtMs)).toBe('feed')
  })

  test('a screen that has just opened waits for its first answer, but not without a network', () => {
    const askedAtMs = Date.now()
    expect(silenceOf('simulated', askedAtMs)).toBe('asked')
    noteTold()
    expect(silenceOf('simulated', askedAtMs)).toBeNull()
    later(60_000)
    expect(silenceOf('simulated', Date.now())).toBe('asked')
    expect(silenceOf('simulated', askedAtMs)).toBe('server')
    vi.stubGlobal('navigator', { onLine: false })
    expect(silenceOf('simulated', Date.now())).toBe('server')
  })
})
