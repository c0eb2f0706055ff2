import type { AddressInfo } from 'node:net'
import { io, type Socket } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RoundType, ROUND_TYPES, windowAt, windowOf } from '#domain/game/calendar.ts'
import { createMarket, type Market } from '#server/features/market/index.ts'
import { createClock } from '#server/platform/process/clock.ts'
import type { Database } from '#server/platform/database/db.ts'
import { newId } from '#server/platform/process/ids.ts'
import { createLog } from '#server/platform/process/log.ts'
import { buildTestApp, type TestApp } from '#testing/app/app.ts'
import { type FeedServer, startFeedServer } from '#testing/machines/feed.ts'
import { createPlayers } from '#testing/play/rounds.ts'
import { openTestDatabase } from '#testing/database/test-database.ts'

type Tick = { readonly source: string; readonly second: number; readonly price: string | number | null }

describe('the ticks of two sources', () => {
  let db: Database
  let feed: FeedServer
  let market: Market
  let app: TestApp
  const sockets: Socket[] = []
  let live: string

  beforeAll(async () => {
    db = await openTestDatabase('embedded')
    feed = await startFeedServer({ key: 'secret' })
    live = `pyth@${new URL(feed.url).host}`
    const clock = await createClock(db)
    market = createMarket({
      db,
      clock,
      log: createLog('silent'),
      settings: { goldFeed: 'pyth', pythUrl: feed.url, pythApiKey: 'secret', swissquoteUrl: feed.url },
    })
    app = await buildTestApp(db, { clock, market })
    await app.http.listen({ port: 0, host: '127.0.0.1' })
  })
  afterAll(async () => {
    for (const socket of sockets) socket.disconnect()
    await market.stop()
    await app.close()
    await db.close()
    await feed.stop()
  })

  /** Rounds of this source, whether or not gold trades while the test runs. */
  async function addRounds(type: RoundType, source: string): Promise<void> {
    const { index } = windowOf(type, Date.now())
    for (const one of [index, index + 1]) {
      const { opensAtMs, closesAtMs } = windowAt(type, one)
      await db.query(
        `insert into rounds (id, type, index, attempt, opens_at, locks_at, closes_at, price_source)
         values ($1, $2, $3, 0, $4, $5, $5, $6)`,
        [newId(), type, BigInt(one), new Date(opensAtMs), new Date(closesAtMs), source],
      )
    }
  }

  async function watch(type: RoundType): Promise<Tick[]> {
    const [player] = await createPlayers(db, 1)
    const { port } = app.http.server.address() as AddressInfo
    const socket = io(`http://127.0.0.1:${port}`, {
      transports: ['websocket'],
      forceNew: true,
      auth: { token: player?.bearer.slice('Bearer '.length) },
    })
    sockets.push(socket)
    const ticks: Tick[] = []
    socket.on('price_tick', (tick: Tick) => void ticks.push(tick))
    await new Promise<void>((resolve) => void socket.on('connect', resolve))
    await socket.emitWithAck('watch_game', { type })
    return ticks
  }

  test('go to the rooms of the rounds that they price, every second', async () => {
    const sourceOf = (type: RoundType) => (type === '30s' || type === '90s' ? live : 'simulated')
    for (const type of ROUND_TYPES) await addRounds(type, sourceOf(type))
    await market.start()
    app.startEngine()
    await expect.poll(() => market.lastTick(live)?.price ?? null, { timeout: 10_000 }).not.toBeNull()
    const rooms = await Promise.all(ROUND_TYPES.map(async (type) => ({ type, ticks: await watch(type) })))
    const enough = () => rooms.every(({ ticks }) => ticks.length >= 5)
    await expect.poll(enough, { timeout: 15_000 }).toBe(true)
    for (const { type, ticks } of rooms) {
      const isBetweenRounds = ({ second }: Tick) => windowOf(type, second * 1000).opensAtMs === second * 1000
      const within = ticks.filter((tick) => !isBetweenRounds(tick))
      expect(new Set(within.map(({ source }) => source))).toEqual(new Set([sourceOf(type)]))
      const seconds = ticks.filter(({ source }) => source === sourceOf(type)).map(({ second }) => second)
      expect(seconds).toEqual(seconds.map((_, at) => (seconds[0] ?? 0) + at))
    }
  })
})
