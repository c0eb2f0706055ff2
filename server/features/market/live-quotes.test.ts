import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLog } from '#server/platform/process/log.ts'
import { createFakeClock } from '#testing/time/fake-clock.ts'
import { type FeedServer, startFeedServer } from '#testing/machines/feed.ts'
import { createLiveQuotes, type LiveQuotes } from './live-quotes.ts'

const SOURCE = 'swissquote:a.example'
let server: FeedServer
let stopped: AbortController
let quotes: LiveQuotes
let reading: Promise<void>

beforeEach(async () => {
  server = await startFeedServer()
  stopped = new AbortController()
  // The feed stamps its quotes with this machine's time.
  const clock = { ...createFakeClock(), now: () => Date.now() }
  const { signal } = stopped
  const baseUrl = server.url
  quotes = createLiveQuotes({
    feed: 'swissquote',
    source: SOURCE,
    baseUrl,
    apiKey: null,
    clock,
    log: createLog('silent'),
    signal,
  })
})
afterEach(async () => {
  stopped.abort()
  await reading
  await server.stop()
})
/** The price of the next second. */
const coming = () => quotes.pricing(Math.ceil(Date.now() / 1000))?.price ?? null
const until = (check: () => void) => vi.waitFor(check, { timeout: 10_000 })

test('quotes price the seconds after them, and without quotes no second has a price', async () => {
  expect(coming()).toBeNull()
  reading = quotes.read()
  await until(() => expect(coming()).toBeGreaterThan(0))
  expect(quotes.counters()).toMatchObject({ garbage: 0, failures: 0 })
  expect(quotes.pricing(Math.ceil(Date.now() / 1000) + 60)).toBeNull()
})

test('input that is no quote is counted, and prices nothing', async () => {
  server.set({ gives: 'garbage' })
  reading = quotes.read()
  await until(() => expect(quotes.counters().garbage + quotes.counters().failures).toBeGreaterThan(0))
  expect(quotes.counters().quotes).toBe(0)
  expect(coming()).toBeNull()
})

test('live rounds take bets once enough seconds are priced, including seconds before this process started', async () => {
  reading = quotes.read()
  await until(() => expect(quotes.counters().quotes).toBeGreaterThan(0))
  expect(quotes.closedReason()).toBe('UNPRICED')
  const price = coming() ?? 0
  const second = Math.ceil(Date.now() / 1000)
  const tickAt = (at: number) => ({ source: SOURCE, second: at, price, quoteAtMs: at * 1000 })
  quotes.recall([5, 4, 3, 2].map((ago) => tickAt(second - ago)))
  expect(quotes.closedReason()).toBe('UNPRICED')
  quotes.noteTick(tickAt(second - 1))
  expect(quotes.closedReason()).toBeNull()
})
