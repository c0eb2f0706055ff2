import { createServer, type Server } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { candleOpening } from '#domain/market/candles.ts'
import type { Tick } from '#domain/market/tick.ts'
import { type Clock, createClock } from '#server/platform/process/clock.ts'
import type { Database } from '#server/platform/database/db.ts'
import { createLog } from '#server/platform/process/log.ts'
import { openNative } from '#server/platform/database/native.ts'
import { FAIR, type FeedServer, startFeedServer } from '#testing/machines/feed.ts'
import { letTimeFly } from '#testing/time/flying-time.ts'
import { type Engine, testEngines } from '#testing/database/test-database.ts'
import { useDatabase } from '#testing/database/use-database.ts'
import { createMarket, type Market, type MarketSettings } from './feed.ts'
import { listCandles, listTicks } from './queries.ts'
import { readTicks } from './ticks.ts'

/** A Wednesday, when gold trades, whatever the day of the test. */
const WEDNESDAY = Date.parse('2026-11-18T12:00:00Z')
const log = createLog('silent')
const simulatedOnly: MarketSettings = {
  goldFeed: 'simulated',
  pythUrl: 'https://hermes.pyth.network',
  pythApiKey: null,
  swissquoteUrl: 'https://forex-data-feed.swissquote.com',
}
const nowSecond = (): number => Math.floor(Date.now() / 1000)
const until = (check: () => void | Promise<void>): Promise<void> => vi.waitFor(check, { timeout: 12_000, interval: 1 })

test.each([
  ['auto', null, null],
  ['auto', 'key', 'pyth'],
  ['simulated', 'key', null],
  ['pyth', null, 'pyth'],
  ['swissquote', 'key', 'swissquote'],
] as const)('GOLD_FEED=%s with the key %s follows %s', (goldFeed, pythApiKey, expected) => {
  const deps = { db: {} as Database, clock: {} as Clock, log }
  const market = createMarket({ ...deps, settings: { ...simulatedOnly, goldFeed, pythApiKey } })
  expect(market.liveSource).toBe(expected)
})

test('a provider’s name is used only for its own host', () => {
  const deps = { db: {} as Database, clock: {} as Clock, log }
  const settings: MarketSettings = { ...simulatedOnly, goldFeed: 'pyth', pythUrl: 'http://127.0.0.1:7070/hermes/' }
  const market = createMarket({ ...deps, settings })
  expect(market.liveSource).toBe('pyth@127.0.0.1:7070')
  expect(market.labelOf('pyth@127.0.0.1:7070')).toBe('Nguồn thử nghiệm: 127.0.0.1:7070')
})

// The embedded engine follows the time that the test makes: what is the same on every engine is tested on it alone.
describe.each([...new Set<Engine>(['embedded', ...testEngines])])('the market on the %s engine', (engine) => {
  const onlyEmbedded = engine === 'embedded' ? [engine] : []
  const db = useDatabase(engine)
  let clock: Clock
  let landTime: () => Promise<void>
  const opened: { stop(): Promise<void> }[] = []
  beforeAll(async () => {
    landTime = engine === 'embedded' ? letTimeFly() : async () => {}
    clock = await createClock(db)
  })
  afterAll(async () => {
    clock.stop()
    await landTime()
  })
  let keptWeek: readonly unknown[] = [[], []]
  beforeEach(async () => {
    await db.query(
      `with days as (
         insert into simulated_seeds (day, seed, commitment, start_price, is_public_history, committed_at)
         select day, seed, commitment, start_price, is_public_history, committed_at
           from jsonb_populate_recordset(null::simulated_seeds, $1))
       insert into candles select * from jsonb_populate_recordset(null::candles, $2)`,
      keptWeek.map((rows) => JSON.stringify(rows)),
    )
  })
  afterEach(async () => {
    for (const market of opened.splice(0)) await market.stop()
  })

  /** A started market, and the ticks it has emitted. */
  async function open(settings: MarketSettings, own: Database = db): Promise<{ market: Market; ticks: Tick[] }> {
    const market = createMarket({ db: own, clock, settings, log })
    const ticks: Tick[] = []
    market.onTick((tick) => void ticks.push(tick))
    opened.push(market)
    await market.start()
    return { market, ticks }
  }
  const of = (ticks: readonly Tick[], source: string): Tick[] => ticks.filter((tick) => tick.source === source)
  const secondsOf = (ticks: readonly Tick[]): number[] => ticks.map(({ second }) => second)
  const inOrder = (ticks: readonly Tick[]): number[] => ticks.map((_, index) => (ticks[0]?.second ?? 0) + index)

  test('the first start is ready at once and has a week of hourly candles, answered within the requested bounds', async () => {
    const { market, ticks } = await open(simulatedOnly)
    expect(ticks).toHaveLength(1)
    const list = await listCandles(market, { minutes: 60 }, clock.now())
    expect(list).toMatchObject({ source: 'simulated', label: 'Giá mô phỏng', minutes: 60 })
    expect(list.candles).toHaveLength(168)
    expect(list.candles.every((candle) => candle.open !== undefined)).toBe(true)
    expect(list.candles.at(-1)?.openedAtMs).toBe(candleOpening(nowSecond(), 60) * 1000)

    const nowMs = clock.now()
    const hourMs = candleOpening(Math.floor(nowMs / 1000), 60) * 1000
    const openings = async (wish: object) =>
      (await listCandles(market, { minutes: 60, ...wish }, nowMs)).candles.map(
        (candle) => (candle.openedAtMs - hourMs) / 3_600_000,
      )
    expect(await openings({ limit: 3 })).toEqual([-2, -1, 0])
    expect(await openings({ toMs: hourMs, limit: 2 })).toEqual([-2, -1])
    expect(await openings({ fromMs: hourMs - 4 * 3_600_000, toMs: hourMs - 3_600_000 })).toEqual([-4, -3, -2])
    expect(await openings({ fromMs: hourMs - 4 * 3_600_000 + 1, toMs: hourMs - 3_600_000 })).toEqual([-3, -2])
    expect(await openings({ fromMs: hourMs + 3_600_000 })).toEqual([])
    expect(await openings({ source: 'pyth' })).toEqual([])
    // Computing a week takes the time of all other tests together.
    const { rows } = await db.query<{ week: unknown[] }>(
      `select json_build_array((select json_agg(s) from simulated_seeds s), (select json_agg(c) from candles c)) as week`,
    )
    keptWeek = rows[0]?.week ?? keptWeek
  })

  test('the ticks of a running round are those of the rows, within the bounds, never more than 130', async () => {
    const { market, ticks } = await open(simulatedOnly)
    const second = ticks[0]?.second ?? 0
    await db.query(
      `insert into ticks (source, second, price, quote_at)
       select 'pyth', s, case when s <> $1 - 3 then 4000000 + ($1 - s)::integer end, case when s <> $1 - 3 then to_timestamp(s) end
       from generate_series($1::bigint - 200, $1::bigint) s`,
      [second],
    )
    const nowMs = clock.now()
    const ask = async (fromAgo: number, toAgo?: number) =>
      (
        await listTicks(
          db,
          market,
          {
            source: 'pyth',
            fromMs: (second - fromAgo) * 1000,
            ...(toAgo !== undefined && { toMs: (second - toAgo) * 1000 }),
          },
          nowMs,
        )
      ).ticks.map((tick) => [second - tick.second, tick.price])
    expect(await ask(4, 2)).toEqual([
      [4, 4_000_004],
      [3, null],
      [2, 4_000_002],
    ])
    expect((await ask(1)).map(([ago]) => ago)).toEqual([1, 0])
    const most = await ask(200, 0)
    expect([most.length, most[0]?.[0], most.at(-1)?.[0]]).toEqual([130, 129, 0])
    expect(await ask(-1, -5)).toEqual([])
    const other = await listTicks(db, market, { source: 'simulated', fromMs: second * 1000 }, nowMs)
    expect(other).toMatchObject({ source: 'simulated', label: 'Giá mô phỏng', serverTimeMs: nowMs })
    expect(other.ticks[0]).toEqual({ second, price: ticks[0]?.price, quoteAtMs: ticks[0]?.quoteAtMs })
  })

  test('a tick that was written ahead of its second is shown to nobody before it comes', async () => {
    const { market, ticks } = await open(simulatedOnly)
    const ahead = (ticks[0]?.second ?? 0) + 60
    await db.query(`insert into ticks (source, second, price, quote_at) values ('pyth', $1, 4000000, now())`, [ahead])
    const wish = { source: 'pyth', fromMs: (ahead - 100) * 1000, toMs: ahead * 1000 }
    expect((await listTicks(db, market, wish, ahead * 1000)).ticks).toEqual([])
  })

  test('one simulated tick per second, never before its time, and betting is always open', async () => {
    const { market, ticks } = await open(simulatedOnly)
    await until(() => expect(ticks.length).toBeGreaterThanOrEqual(2))
    expect(secondsOf(ticks)).toEqual(inOrder(ticks))
    expect(await readTicks(db, 'simulated', ticks[0]?.second ?? 0, ticks[1]?.second ?? 0)).toEqual(ticks.slice(0, 2))
    const { rows } = await db.query<{ late: number }>(
      `select extract(epoch from recorded_at - to_timestamp(second))::float8 as late from ticks`,
    )
    expect(Math.min(...rows.map(({ late }) => late))).toBeGreaterThanOrEqual(0)
    expect(market.closedReason('simulated')).toBeNull()
    expect(market.chooseSource(WEDNESDAY, WEDNESDAY + 30_000)).toBe('simulated')
    expect(market.lastTick('simulated')).toEqual(ticks.at(-1))
    expect(market.feedStatus('simulated', clock.now())).toMatchObject({
      label: 'Giá mô phỏng',
      lastPrice: ticks.at(-1)?.price,
      closedReason: null,
      goldReopensAtMs: null,
    })
  })

  describe.each(onlyEmbedded)('whatever the engine (%s)', () => {
    test('a database that is unreachable for a moment costs no tick', async () => {
      let failUntil = 0
      const shaky: Database = {
        ...db,
        query: (...args: Parameters<Database['query']>) =>
          Date.now() < failUntil ? Promise.reject(new Error('the database is away')) : db.query(...args),
      } as Database
      const { ticks } = await open(simulatedOnly, shaky)
      failUntil = Date.now() + 1_500
      await until(() => expect(ticks.length).toBeGreaterThanOrEqual(4))
      expect(secondsOf(ticks)).toEqual(inOrder(ticks))
    })

    test('a listener that fails does not affect the others, and no listener is called after the stop', async () => {
      const market = createMarket({ db, clock, settings: simulatedOnly, log })
      market.onTick(() => {
        throw new Error('a listener that fails')
      })
      const seen: number[] = []
      const leave = market.onTick((tick) => void seen.push(tick.second))
      await market.start()
      expect(seen).toHaveLength(1)
      leave()
      await market.stop()
      const before = performance.now()
      await market.stop()
      expect(performance.now() - before).toBeLessThan(100)
      expect(seen).toHaveLength(1)
    })
  })

  describe('following a live service', () => {
    let feed: FeedServer
    let settings: MarketSettings
    let live: string
    beforeAll(async () => {
      feed = await startFeedServer({ key: 'secret' })
      settings = {
        goldFeed: 'pyth',
        pythUrl: feed.url,
        pythApiKey: 'secret',
        swissquoteUrl: `${feed.url}/`,
      }
      live = `pyth@${new URL(feed.url).host}`
    })
    afterAll(() => feed.stop())
    afterEach(() => feed.set(FAIR))

    test('two processes store one row per second and read the same', async () => {
      const other = db.url === null ? db : openNative({ url: db.url, max: 4 })
      try {
        const [a, b] = [await open(settings), await open(settings, other)]
        await until(() => {
          for (const { ticks } of [a, b])
            expect(of(ticks, live).filter(({ price }) => price !== null).length).toBeGreaterThanOrEqual(2)
        })
        await Promise.all([a.market.stop(), b.market.stop()])
        for (const source of [live, 'simulated']) {
          const [ours, theirs] = [of(a.ticks, source), of(b.ticks, source)]
          expect(secondsOf(ours)).toEqual(inOrder(ours))
          expect(secondsOf(theirs)).toEqual(inOrder(theirs))
          const stored = new Map((await readTicks(db, source, 0, 2 ** 40)).map((tick) => [tick.second, tick]))
          for (const tick of [...ours, ...theirs]) expect(stored.get(tick.second)).toEqual(tick)
        }
        for (const { second, quoteAtMs } of of(a.ticks, live).filter(({ price }) => price !== null)) {
          expect(quoteAtMs).toBeLessThanOrEqual(second * 1000)
          expect(quoteAtMs).toBeGreaterThan(second * 1000 - 2000)
        }
        const { rows } = await db.query<{ late: number; price: number | null }>(
          `select price, extract(epoch from recorded_at - to_timestamp(second))::float8 as late
           from ticks where source = $1`,
          [live],
        )
        for (const { late, price } of rows) expect(late).toBeGreaterThanOrEqual(price === null ? 0.7 : 0.4)
        for (const { late, price } of rows) if (price !== null) expect(late).toBeLessThan(1)
      } finally {
        if (other !== db) await other.close()
      }
    })

    test('signed bytes are stored for the requested ticks', async () => {
      const { market, ticks } = await open(settings)
      const priced = () => of(ticks, live).filter(({ price, second }) => price !== null && second % 30 !== 0)
      await until(() => expect(priced().length).toBeGreaterThan(0))
      const second = priced()[0]?.second ?? 0
      await market.keepEvidence(db, live, [second, second - 9_999])
      await market.keepEvidence(db, 'simulated', [second])
      const { rows } = await db.query<{ source: string; second: bigint; evidence: Uint8Array }>(
        'select source, second, evidence from tick_evidence where second % 30 <> 0',
      )
      expect(rows).toHaveLength(1)
      expect(rows[0]).toMatchObject({ source: live, second: BigInt(second) })
      expect(Buffer.from(rows[0]?.evidence ?? []).toString('latin1')).toMatch(/^PNAU/)
    })

    describe.each(onlyEmbedded)('whatever the engine (%s)', () => {
      test('old quotes close live rounds, give missing ticks, and leave the simulated price alone', async () => {
        feed.set({ lateMs: 3_600_000 })
        const { market, ticks } = await open(settings)
        await until(() => {
          expect(market.counters().quotes).toBeGreaterThan(0)
          expect(of(ticks, live).length).toBeGreaterThanOrEqual(1)
        })
        expect(of(ticks, live).every(({ price }) => price === null)).toBe(true)
        expect(market.closedReason(live)).toBe('STALE')
        expect(market.chooseSource(WEDNESDAY, WEDNESDAY + 30_000)).toBe('simulated')
        feed.set(FAIR)
        await until(() => {
          expect(market.closedReason(live)).toBeNull()
          expect(of(ticks, live).at(-1)?.price).not.toBeNull()
        })
        expect(market.chooseSource(WEDNESDAY, WEDNESDAY + 30_000)).toBe(live)
        // Saturday: the feed is alive, but gold is closed.
        expect(market.chooseSource(WEDNESDAY + 3 * 86_400_000, WEDNESDAY + 3 * 86_400_000 + 30_000)).toBe('simulated')
        expect(market.counters().missing).toBeGreaterThan(0)
        const simulated = of(ticks, 'simulated')
        expect(secondsOf(simulated)).toEqual(inOrder(simulated))
        expect(market.feedStatus(live, clock.now())).toMatchObject({
          label: `Nguồn thử nghiệm: ${new URL(feed.url).host}`,
        })
      })

      test('a feed that sends no more quotes closes betting after 5 s, and its seconds are missing ticks', async () => {
        const { market, ticks } = await open({ ...settings, goldFeed: 'swissquote' })
        const source = market.liveSource ?? ''
        await until(() => expect(market.closedReason(source)).toBeNull())
        feed.set({ gives: 'stalled' })
        const newest = () => market.feedStatus(source, clock.now()).lastQuoteAtMs ?? 0
        await until(() => expect(market.closedReason(source)).toBe('STALE'))
        expect(clock.now() - newest()).toBeGreaterThan(5_000)
        await until(() => expect(of(ticks, source).at(-1)?.price).toBeNull())
        expect(secondsOf(of(ticks, source))).toEqual(inOrder(of(ticks, source)))
      })
    })

    test('the seconds of a downtime become missing ticks, once the live source is followed again', async () => {
      const gone = nowSecond() - 4_500
      await db.query(
        `insert into ticks (source, second, price, quote_at) values ($1, $2::bigint, 4000000, to_timestamp($2::bigint))`,
        [live, gone],
      )
      const { ticks } = await open(settings)
      await until(() => expect(of(ticks, live).length).toBeGreaterThan(0))
      const first = of(ticks, live)[0]?.second ?? 0
      await until(async () => {
        const stored = await readTicks(db, live, gone, first)
        expect(stored).toHaveLength(first - gone + 1)
        expect(stored.slice(1, -1).every(({ price }) => price === null)).toBe(true)
        expect(stored[0]?.price).toBe(4_000_000)
      })
      expect(await readTicks(db, live, gone - 5, gone - 1)).toEqual([])
    })
  })

  describe.each(onlyEmbedded)('whatever the engine (%s)', () => {
    describe('following a service whose clock is set', () => {
      let server: Server
      let settings: MarketSettings
      let aheadMs = 0
      beforeAll(async () => {
        server = createServer((_, response) => {
          const quote = {
            spreadProfilePrices: [{ spreadProfile: 'premium', bid: 4000, ask: 4001 }],
            ts: Date.now() + aheadMs,
          }
          response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify([quote]))
        })
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
        const address = server.address()
        const port = typeof address === 'object' && address !== null ? address.port : 0
        settings = { ...simulatedOnly, goldFeed: 'swissquote', swissquoteUrl: `http://127.0.0.1:${port}` }
      })
      afterAll(() => {
        server.closeAllConnections()
        server.close()
      })

      test('quotes from the future are dropped and close betting, though the source is fresh', async () => {
        aheadMs = 0
        const { market } = await open(settings)
        const source = market.liveSource ?? ''
        await until(() => expect(market.closedReason(source)).toBeNull())
        aheadMs = 60_000
        await until(() => expect(market.closedReason(source)).toBe('AHEAD'))
        aheadMs = 0
        const quotes = market.counters().quotes
        await until(() => expect(market.counters().quotes).toBeGreaterThan(quotes))
        expect(market.closedReason(source)).toBe('AHEAD')
        expect(market.counters().ahead).toBeGreaterThan(0)
        expect(market.feedStatus(source, clock.now()).lastQuoteAtMs ?? 0).toBeLessThanOrEqual(clock.now())
      })
    })
  })
})
