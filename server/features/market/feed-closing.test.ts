import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { FeedClosedReason } from '#domain/market/feed-state.ts'
import type { LiveFeed } from '#domain/market/sources.ts'
import { type Clock, createClock } from '#server/platform/process/clock.ts'
import { createLog } from '#server/platform/process/log.ts'
import { FAIR, type FeedServer, startFeedServer } from '#testing/machines/feed.ts'
import { letTimeFly } from '#testing/time/flying-time.ts'
import { useDatabase } from '#testing/database/use-database.ts'
import { createMarket, type Market } from './feed.ts'
import { readTicks } from './ticks.ts'

/** A Wednesday, when gold trades, whatever the day of the test. */
const WEDNESDAY = Date.parse('2026-11-18T12:00:00Z')
const TIMES_3 = 8_000_000
const FEEDS: readonly LiveFeed[] = ['pyth', 'swissquote']
/** Looks every 20 ms of the time that flies: some reasons last for three seconds of it, which may be 5 ms of real time. */
async function until(check: () => void): Promise<void> {
  for (const endMs = Date.now() + 600_000; ; await new Promise((resolve) => setTimeout(resolve, 20)))
    try {
      return check()
    } catch (error) {
      if (Date.now() > endMs) throw error
    }
}

/** A second when its tick became known, and whether live rounds took bets then. */
interface Known {
  readonly second: number
  readonly price: number | null
  readonly reason: FeedClosedReason | null
}

/** Whether the seconds alone close betting after each second (rules §5), counted naively from the first one. */
function areTooFewPriced(known: readonly Known[]): boolean[] {
  let isClosed = true
  return known.map((_, index) => {
    const until = known.slice(0, index + 1).map(({ price }) => price !== null)
    if (until.length >= 2 && until.slice(-2).every((isPriced) => !isPriced)) isClosed = true
    else if (until.length >= 5 && until.slice(-5).every((isPriced) => isPriced)) isClosed = false
    return isClosed
  })
}

// Closing and reopening do not depend on the engine. The embedded one follows the time that the test makes.
describe('a faulty live feed', () => {
  const db = useDatabase('embedded', { areReset: false })
  let clock: Clock
  let landTime: () => Promise<void>
  const opened: Market[] = []
  beforeAll(async () => {
    landTime = letTimeFly()
    clock = await createClock(db)
  })
  afterAll(async () => {
    for (const market of opened) await market.stop()
    clock.stop()
    await landTime()
  })

  async function follow(feed: LiveFeed, url: string): Promise<{ market: Market; source: string; known: Known[] }> {
    const settings = { goldFeed: feed, pythUrl: url, pythApiKey: 'secret', swissquoteUrl: url }
    const market = createMarket({ db, clock, log: createLog('silent'), settings })
    opened.push(market)
    const source = market.liveSource ?? ''
    const known: Known[] = []
    market.onTick(({ source: of, second, price }) => {
      if (of === source) known.push({ second, price, reason: market.closedReason(source) })
    })
    await market.start()
    return { market, source, known }
  }
  const reasonIs = (market: Market, reason: FeedClosedReason | null): Promise<void> =>
    until(() => expect(market.closedReason(market.liveSource ?? '')).toBe(reason))
  const choice = (market: Market): string => market.chooseSource(WEDNESDAY, WEDNESDAY + 30_000)

  describe.each(FEEDS)('%s', (feed) => {
    let server: FeedServer
    beforeAll(async () => void (server = await startFeedServer()))
    afterAll(() => server.stop())

    test('closes betting, prices nothing, and reopens when it is right again', async () => {
      const first = await follow(feed, server.url)
      const { source } = first
      expect(first.market.closedReason(source)).not.toBeNull()
      await reasonIs(first.market, null)
      expect(choice(first.market)).toBe(source)

      server.set({ factor: 3 })
      const jumpsAt = performance.now()
      await reasonIs(first.market, 'JUMP')
      expect(performance.now() - jumpsAt).toBeLessThan(2_500)
      expect(choice(first.market)).toBe('simulated')
      await until(() => expect(first.known.slice(-2).every(({ price }) => price === null)).toBe(true))
      server.set({ factor: 1 })
      const calmAt = performance.now()
      await reasonIs(first.market, null)
      expect(performance.now() - calmAt).toBeGreaterThan(5_000)
      expect(first.market.counters().held).toBeGreaterThan(0)

      server.set({ lateMs: 4_000 })
      await until(() => expect(first.market.closedReason(source)).not.toBeNull())
      const { rows } = await db.query<{ now_ms: bigint }>(
        'select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms',
      )
      const missing = first.known.filter(({ price }) => price === null)
      expect(Number(rows[0]?.now_ms) - (missing.at(-2)?.second ?? 0) * 1000).toBeLessThan(3_000)
      expect(choice(first.market)).toBe('simulated')
      server.set({ lateMs: 0 })
      await reasonIs(first.market, null)

      // A restart of less than two seconds closes nothing, since the stored seconds are known.
      await first.market.stop()
      const second = await follow(feed, server.url)
      await until(() => expect(second.known.length).toBeGreaterThan(0))
      expect(second.known[0]?.reason).toBeNull()
      await second.market.stop()
      // A restart while the feed has jumped compares with the stored price.
      server.set({ factor: 3 })
      const third = await follow(feed, server.url)
      await reasonIs(third.market, 'JUMP')
      await until(() => expect(third.known.length).toBeGreaterThan(1))
      server.set({ factor: 1 })
      await third.market.stop()

      const closed = areTooFewPriced(first.known)
      for (const [index, { reason }] of first.known.entries()) {
        if (reason === 'UNPRICED') expect(closed[index]).toBe(true)
        if (reason === null) expect(closed[index]).toBe(false)
      }
      const stored = await readTicks(db, source, 0, 2 ** 40)
      expect(stored.filter(({ price }) => price !== null).length).toBeGreaterThan(10)
      expect(stored.filter(({ price }) => (price ?? 0) > TIMES_3)).toEqual([])
    })
  })

  describe('both at once', () => {
    let server: FeedServer
    beforeAll(async () => void (server = await startFeedServer({ key: 'secret' })))
    afterAll(() => server.stop())
    afterEach(() => server.set(FAIR))

    test.each(['stalled', 'garbage'] as const)('%s for some seconds', async (mode) => {
      const followed = await Promise.all(FEEDS.map((feed) => follow(feed, server.url)))
      const each = (reason: FeedClosedReason | null) =>
        Promise.all(followed.map(({ market }) => reasonIs(market, reason)))
      await each(null)
      server.set({ gives: mode })
      await each('UNPRICED')
      server.set(FAIR)
      await each(null)
      for (const { market, known } of followed) {
        await market.stop()
        const closed = areTooFewPriced(known)
        const last = known.findLastIndex(({ reason }) => reason !== null)
        // Betting reopened exactly at the fifth priced second.
        expect(known.slice(last - 3, last + 2).every(({ price }) => price !== null)).toBe(true)
        expect(known[last - 4]?.price).toBeNull()
        expect(closed.slice(-1)).toEqual([false])
      }
    })
  })
})
