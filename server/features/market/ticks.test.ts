import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '#server/platform/database/db.ts'
import { openNative } from '#server/platform/database/native.ts'
import { createFakeClock } from '#testing/time/fake-clock.ts'
import { openSettableDatabase, type SettableDatabase } from '#testing/time/settable-database.ts'
import { resetDatabase, testEngines } from '#testing/database/test-database.ts'
import type { LiveQuotes } from './live-quotes.ts'
import { ensureSeeds } from './seeds.ts'
import { createTickWriter } from './tick-writer.ts'
import {
  ensureTicks,
  hasTickAfterSql,
  insertEvidence,
  insertLive,
  insertMissing,
  insertSimulated,
  readEvidence,
  lastTickSecond,
  readNewestTicks,
  readTicks,
  simulatedRange,
} from './ticks.ts'

const LIVE = 'pyth@127.0.0.1:1'
const nowSecond = (): number => Math.floor(Date.now() / 1000)
const quoteAt = (second: number, price = 4_000_000) => ({ price, atMs: second * 1000 - 300 })

describe.each(testEngines)('ticks on the %s engine', (engine) => {
  let db: SettableDatabase
  beforeAll(async () => {
    db = await openSettableDatabase(engine)
  })
  afterAll(() => db.close())
  beforeEach(async () => {
    await resetDatabase(db)
    await db.setAhead(0)
  })

  /**
   * The running second, with the database's clock frozen in it: its tick can be written however busy the machine is.
   */
  async function youngSecond(): Promise<number> {
    const second = nowSecond()
    await db.freezeAt(second * 1000 + 400)
    return second
  }

  test('simulated ticks are computed on demand, equal to the path, stamped with their second', async () => {
    await ensureSeeds(db)
    const from = nowSecond() - 200
    const prices = await simulatedRange(db, from, from + 120)
    const range = await ensureTicks(db, 'simulated', from, from + 120)
    expect(range.isComplete).toBe(true)
    expect(range.ticks).toEqual(
      Array.from(prices, (price, i) => ({
        source: 'simulated',
        second: from + i,
        price,
        quoteAtMs: (from + i) * 1000,
      })),
    )
    expect(await ensureTicks(db, 'simulated', from + 10, from + 20)).toEqual({
      ticks: range.ticks.slice(10, 21),
      isComplete: true,
    })
  })

  test('a simulated tick is never stored before its second', async () => {
    await ensureSeeds(db)
    const from = nowSecond() - 5
    const range = await ensureTicks(db, 'simulated', from, from + 3600)
    expect(range.isComplete).toBe(false)
    expect(range.ticks.at(-1)?.second).toBeLessThanOrEqual(nowSecond())
    expect(range.ticks.length).toBeGreaterThanOrEqual(6)
    expect(await insertSimulated(db, [{ second: nowSecond() + 2, price: 1 }])).toEqual([])
    const { rows } = await db.query('select 1 from ticks where to_timestamp(second) > recorded_at')
    expect(rows).toEqual([])
  })

  test('simulated ticks are computed again inside the transaction that needs them', async () => {
    await ensureSeeds(db)
    const from = nowSecond() - 30
    const range = await db.tx((tx) => ensureTicks(tx, 'simulated', from, from + 20))
    expect(range.isComplete).toBe(true)
    expect(await readTicks(db, 'simulated', from, from + 20)).toEqual(range.ticks)
  })

  test('a second without a path is an error, not a price', async () => {
    await ensureSeeds(db)
    await expect(ensureTicks(db, 'simulated', 1_000, 1_001)).rejects.toThrow(/no simulated path/)
  })

  test('the first insert of a second wins, and a missing tick is never filled later', async () => {
    const second = await youngSecond()
    const first = await insertLive(db, LIVE, second, quoteAt(second, 4_000_001), null)
    expect(first).toEqual({ source: LIVE, second, price: 4_000_001, quoteAtMs: second * 1000 - 300 })
    expect(await insertLive(db, LIVE, second, quoteAt(second, 4_000_002), null)).toBeNull()
    expect(await readTicks(db, LIVE, second, second)).toEqual([first])
    const old = second - 10
    await insertMissing(db, LIVE, old, old)
    expect(await insertLive(db, LIVE, old, quoteAt(old), null)).toBeNull()
    expect(await readTicks(db, LIVE, old, old)).toEqual([{ source: LIVE, second: old, price: null, quoteAtMs: null }])
  })

  test('from 700 ms on a second accepts no price, and only then becomes a missing tick', async () => {
    const second = await youngSecond()
    await insertMissing(db, LIVE, second, second + 5)
    expect(await readTicks(db, LIVE, second, second + 5)).toEqual([])
    await db.freezeAt(second * 1000 + 701)
    expect(await insertLive(db, LIVE, second, quoteAt(second), null)).toBeNull()
    expect(await readTicks(db, LIVE, second, second)).toEqual([])
    const range = await ensureTicks(db, LIVE, second - 3, second)
    expect(range.isComplete).toBe(true)
    expect(range.ticks.map((tick) => tick.price)).toEqual([null, null, null, null])
  })

  test('a live second accepts no price before it has come', async () => {
    const second = await youngSecond()
    expect(await insertLive(db, LIVE, second + 1, quoteAt(second + 1), Uint8Array.of(7))).toBeNull()
    const { rows } = await db.query('select 1 from ticks union all select 1 from tick_evidence')
    expect(rows).toEqual([])
  })

  test('ticks of seconds that have not come again are hidden from everybody, but still decide', async () => {
    await ensureSeeds(db)
    const second = await youngSecond()
    await db.setAhead(60_000)
    const { ticks } = await ensureTicks(db, 'simulated', second - 2, second + 50)
    await db.freezeAt(second * 1000 + 400)
    expect(await readTicks(db, 'simulated', second - 2, second + 50)).toEqual(ticks.slice(0, 3))
    expect(await lastTickSecond(db, 'simulated')).toBe(second)
    expect(await ensureTicks(db, 'simulated', second - 2, second + 50)).toEqual({ ticks, isComplete: true })
    const { rows } = await db.query(
      `select ${hasTickAfterSql("'simulated'", 'clock_timestamp()')} as simulated,
              ${hasTickAfterSql("'other'", 'clock_timestamp()')} as other`,
    )
    expect(rows).toEqual([{ simulated: true, other: false }])
  })

  test('nothing is written while the clock is unsure', async () => {
    await ensureSeeds(db)
    const second = await youngSecond()
    for (const source of ['simulated', LIVE]) {
      expect(await ensureTicks(db, source, second - 9, second - 5, false)).toEqual({ ticks: [], isComplete: false })
    }
    expect((await db.query('select 1 from ticks')).rows).toEqual([])
  })

  test('live seconds that may still get a price leave the range incomplete', async () => {
    const second = await youngSecond()
    const range = await ensureTicks(db, LIVE, second - 5, second + 60)
    expect(range.isComplete).toBe(false)
    expect(range.ticks.length).toBeGreaterThanOrEqual(4)
    for (const tick of range.ticks) expect(tick.second * 1000 + 700).toBeLessThanOrEqual(second * 1000 + 400)
  })

  test('signed bytes are stored only for the quote that became the tick', async () => {
    const second = await youngSecond()
    const signed = Uint8Array.of(1, 2, 3)
    await insertLive(db, LIVE, second, quoteAt(second), null)
    await insertEvidence(db, LIVE, second, { ...quoteAt(second, 4_000_009), evidence: signed })
    await insertEvidence(db, LIVE, second, { ...quoteAt(second), evidence: null })
    const kept = async () =>
      (await db.query<{ second: bigint; evidence: Uint8Array }>('select second, evidence from tick_evidence')).rows
    expect(await kept()).toEqual([])
    await insertEvidence(db, LIVE, second, { ...quoteAt(second), evidence: signed })
    await insertEvidence(db, LIVE, second, { ...quoteAt(second), evidence: signed })
    expect(await kept()).toEqual([{ second: BigInt(second), evidence: signed }])
  })

  test('signed bytes stay in memory for ten minutes, also over a gap in the prices', async () => {
    const quotes = { pricing: (second: number) => ({ ...quoteAt(second), evidence: Uint8Array.of(7) }) }
    const signal = new AbortController().signal
    const clock = createFakeClock()
    const writer = createTickWriter({ db, clock, signal, quotes: quotes as unknown as LiveQuotes })
    const boundary = Math.floor(nowSecond() / 30) * 30
    const seconds = [1, 2, 700, 1_299].map((later) => boundary + later)
    for (const second of seconds) {
      await db.freezeAt(second * 1000 + 400)
      await writer.liveTick(LIVE, second)
    }
    await writer.keepEvidence(db, LIVE, seconds)
    const { rows } = await db.query('select second from tick_evidence order by second')
    expect(rows).toEqual([{ second: BigInt(boundary + 700) }, { second: BigInt(boundary + 1_299) }])
  })

  test('a tick can carry its evidence in one statement', async () => {
    const second = await youngSecond()
    await insertLive(db, LIVE, second, quoteAt(second), Uint8Array.of(7))
    const { rows } = await db.query('select evidence from tick_evidence where source = $1 and second = $2::bigint', [
      LIVE,
      second,
    ])
    expect(rows).toEqual([{ evidence: Uint8Array.of(7) }])
  })

  test('the newest minute is read with the newest price, however far back that lies', async () => {
    const last = 1_700_000_000
    const read = async (throughSecond: number, fromSecond: number) =>
      (await readNewestTicks(db, LIVE, throughSecond, fromSecond)).map(({ second, price }) => [second - last, price])
    expect(await read(last, 0)).toEqual([])
    await db.query(
      `insert into ticks (source, second, price, quote_at) values ($1, $2, 4000000, now()), ($1, $2 + 9, 5000000, now())`,
      [LIVE, last - 5_000],
    )
    await insertMissing(db, LIVE, last - 4_000, last + 100)
    const minute = Array.from({ length: 60 }, (_, n) => [n - 59, null])
    expect(await read(last, last - 10_000)).toEqual([[-4_991, 5_000_000], ...minute])
    expect(await read(last, last - 4_991)).toEqual(minute)
    expect(await read(last - 4_992, 0)).toEqual([[-5_000, 4_000_000]])
  })

  test('evidence is read without its tick, which may be detached, and not before its second', async () => {
    const second = Math.floor(Date.now() / 1000)
    await db.query(
      `insert into tick_evidence (source, second, evidence) values ($1, $2::bigint - 9, 'then'), ($1, $2::bigint + 900, 'later')`,
      [LIVE, second],
    )
    expect(await readEvidence(db, LIVE, second - 9)).toEqual(new Uint8Array(Buffer.from('then')))
    expect(await readEvidence(db, LIVE, second + 900)).toBeNull()
  })

  test.each(['ticks', 'tick_evidence', 'candles'])('%s is append-only', async (table) => {
    const second = await youngSecond()
    await insertLive(db, LIVE, second, quoteAt(second), Uint8Array.of(7))
    await db.query(`insert into candles values ($1, 1, 60, 1, 1, 1, 1)`, [LIVE])
    await expect(db.query(`update ${table} set source = 'other'`)).rejects.toThrow(/append-only/)
    await expect(db.query(`delete from ${table}`)).rejects.toThrow(/append-only/)
    await expect(db.query(`truncate ${table}`)).rejects.toThrow(/append-only/)
  })

  test('many writers of one second store one row, and all read the same', async () => {
    const connections: Database[] =
      db.url === null ? [db, db, db] : [1, 2, 3].map(() => openNative({ url: db.url ?? '', max: 4 }))
    try {
      const second = await youngSecond()
      const attempts = Array.from({ length: 60 }, (_, i) => connections[i % 3] as Database)
      await Promise.all(attempts.map((own, i) => insertLive(own, LIVE, second, quoteAt(second, 4_000_000 + i), null)))
      const seen = await Promise.all(attempts.map((own) => readTicks(own, LIVE, second, second)))
      expect(new Set(seen.map((ticks) => JSON.stringify(ticks))).size).toBe(1)
      expect(seen[0]).toHaveLength(1)
      expect(seen[0]?.[0]?.price).toBeGreaterThanOrEqual(4_000_000)
    } finally {
      if (db.url !== null) for (const own of connections) await own.close()
    }
  })
})
