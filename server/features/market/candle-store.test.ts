import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { candleOpening, type CandleMinutes, foldCandles } from '#domain/market/candles.ts'
import { openSettableDatabase, type SettableDatabase } from '#testing/time/settable-database.ts'
import { resetDatabase, testEngines } from '#testing/database/test-database.ts'
import { createCandleStore } from './candle-store.ts'
import { ensureSeeds } from './seeds.ts'
import { ensureTicks, readTicks, simulatedRange } from './ticks.ts'

const LIVE = 'pyth'
/** A fixed hour in the past, so that the test does not depend on the time of day. */
const HOUR = candleOpening(1_790_000_000, 60)

describe.each(testEngines)('candles on the %s engine', (engine) => {
  let db: SettableDatabase
  beforeAll(async () => {
    db = await openSettableDatabase(engine)
  })
  afterAll(() => db.close())
  beforeEach(() => resetDatabase(db))

  const keptCount = async (): Promise<number> =>
    Number((await db.query<{ count: bigint }>('select count(*) as count from candles')).rows[0]?.count)

  /** Live rows for [from, to): a wandering price, with a missing tick now and then. */
  async function storeLive(from: number, to: number): Promise<void> {
    await db.query(
      `insert into ticks (source, second, price, quote_at)
       select $1, s.second, case when s.second % 7 <> 0 then 4000000 + (s.second * 7919) % 5000 end,
              case when s.second % 7 <> 0 then to_timestamp(s.second) end
       from generate_series($2::bigint, $3::bigint) as s(second)`,
      [LIVE, from, to - 1],
    )
  }

  test('simulated candles equal the fold of every second’s tick', async () => {
    await ensureSeeds(db)
    const now = Math.floor(Date.now() / 1000)
    const store = createCandleStore(db, () => now)
    const from = candleOpening(now, 60) - 2 * 3600
    const prices = await simulatedRange(db, from, now)
    const ticks = Array.from(prices, (price, index) => ({ second: from + index, price }))
    for (const minutes of [1, 60] as const)
      expect(await store.read('simulated', minutes, from, now + 1)).toEqual(foldCandles(ticks, minutes))
    // The stored rows, by which rounds are settled, have the same prices.
    const { ticks: rows } = await ensureTicks(db, 'simulated', now - 300, now)
    const minute = candleOpening(now, 1) - 120
    expect(await store.read('simulated', 1, minute, minute + 60)).toEqual(
      foldCandles(
        rows.filter(({ second }) => second >= minute && second < minute + 60),
        1,
      ),
    )
  })

  test('a running candle grows with the known ticks, and not beyond', async () => {
    await ensureSeeds(db)
    const hour = candleOpening(Math.floor(Date.now() / 1000), 60) - 3600
    let known = hour + 100
    const store = createCandleStore(db, () => known)
    const expected = async () => {
      const prices = await simulatedRange(db, hour, known)
      return foldCandles(
        Array.from(prices, (price, index) => ({ second: hour + index, price })),
        60,
      )
    }
    for (const next of [hour + 100, hour + 101, hour + 101, hour + 1800, hour + 3598, hour + 3599]) {
      known = next
      expect(await store.read('simulated', 60, hour, hour + 7200)).toEqual(await expected())
    }
    known = hour + 3600
    const candles = await store.read('simulated', 60, hour, hour + 7200)
    expect(candles.map(({ openedAt }) => openedAt)).toEqual([hour, hour + 3600])
    expect(candles[1]?.open).toBe(candles[1]?.close)
  })

  test('candles end at the database’s time, even when later seconds were folded while its clock was ahead', async () => {
    await ensureSeeds(db)
    const second = candleOpening(Math.floor(Date.now() / 1000), 60) + 1_800
    let known = second
    const store = createCandleStore(db, () => known)
    const read = () => store.read('simulated', 60, second - 7_200, second + 7_200)
    await db.freezeAt(second * 1000)
    const before = await read()
    known = second + 7_200
    await db.freezeAt(known * 1000)
    expect(await read()).toHaveLength(before.length + 2)
    await db.freezeAt(second * 1000 + 300)
    expect(await read()).toEqual(before)
    // Another process, which follows no ticks, does not read the candles that were folded ahead either.
    await ensureTicks(db, 'simulated', second, second)
    expect(await createCandleStore(db, () => null).read('simulated', 60, second - 7_200, second + 7_200)).toEqual(
      before,
    )
    await db.setAhead(0)
  })

  test('closed candles are stored once, however many requests arrive at the same time', async () => {
    await ensureSeeds(db)
    const now = Math.floor(Date.now() / 1000)
    const store = createCandleStore(db, () => now)
    const from = candleOpening(now, 60) - 5 * 3600
    const answers = await Promise.all([1, 2, 3, 4].map(() => store.read('simulated', 60, from, now + 1)))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(await keptCount()).toBe(5)
    // Another process reads the candles that the first one stored.
    expect(await createCandleStore(db, () => now).read('simulated', 60, from, now + 1)).toEqual(answers[0])
  })

  test('live candles are the fold of their rows', async () => {
    await storeLive(HOUR, HOUR + 2 * 3600 + 90)
    const store = createCandleStore(db, () => null)
    const rows = await readTicks(db, LIVE, HOUR, HOUR + 3 * 3600)
    for (const minutes of [1, 60] as const) {
      const length = minutes * 60
      const candles = await store.read(LIVE, minutes, HOUR, HOUR + 3 * 3600)
      expect(candles).toEqual(foldCandles(rows, minutes))
      const { rows: kept } = await db.query<{ opened_at: bigint }>(
        'select opened_at from candles where minutes = $1::smallint order by opened_at',
        [minutes],
      )
      const closed = candles.filter(({ openedAt }) => openedAt + length <= HOUR + 2 * 3600 + 90)
      expect(kept.map((row) => Number(row.opened_at))).toEqual(closed.map(({ openedAt }) => openedAt))
      expect(await store.read(LIVE, minutes, HOUR, HOUR + 3 * 3600)).toEqual(candles)
    }
  })

  test('a live candle is stored only when every second of it has its row, from the source’s first tick on', async () => {
    await storeLive(HOUR + 10, HOUR + 60)
    await storeLive(HOUR + 60, HOUR + 150)
    await storeLive(HOUR + 151, HOUR + 200)
    const store = createCandleStore(db, () => null)
    const read = (minutes: CandleMinutes) => store.read(LIVE, minutes, HOUR, HOUR + 3600)
    expect((await read(1)).map(({ openedAt }) => openedAt - HOUR)).toEqual([0, 60, 120, 180])
    expect(await keptCount()).toBe(2)
    await db.query(`insert into ticks (source, second) values ($1, $2::bigint)`, [LIVE, HOUR + 150])
    expect(await read(1)).toHaveLength(4)
    expect(await keptCount()).toBe(3)
  })

  test.each([
    ['without a gap is stored', 0, 2],
    ['with a gap is not, although the next one is', 1, 1],
  ])('the hour in which a live source began, %s', async (_, gap, kept) => {
    const start = HOUR + 1_200
    await storeLive(start, start + 600)
    await storeLive(start + 600 + gap, HOUR + 7_210)
    // Its first minutes are stored by then.
    await createCandleStore(db, () => null).read(LIVE, 1, HOUR, HOUR + 3_600)
    const minutes = await keptCount()
    const read = () => createCandleStore(db, () => null).read(LIVE, 60, HOUR, HOUR + 7_200)
    const candles = await read()
    expect(candles.map(({ openedAt }) => openedAt - HOUR)).toEqual([0, 3_600])
    expect((await keptCount()) - minutes).toBe(kept)
    expect(await read()).toEqual(candles)
  })

  test('an interval without any quote has no candle, and is not folded twice', async () => {
    await storeLive(HOUR, HOUR + 60)
    await db.query(
      `insert into ticks (source, second) select $1, s from generate_series($2::bigint, $3::bigint) as s`,
      [LIVE, HOUR + 60, HOUR + 119],
    )
    await storeLive(HOUR + 120, HOUR + 200)
    const store = createCandleStore(db, () => null)
    const openings = async () => (await store.read(LIVE, 1, HOUR, HOUR + 240)).map(({ openedAt }) => openedAt - HOUR)
    expect(await openings()).toEqual([0, 120, 180])
    expect(await keptCount()).toBe(3)
    expect(await openings()).toEqual([0, 120, 180])
  })

  test('an unknown source has none', async () => {
    const store = createCandleStore(db, () => null)
    expect(await store.read('pyth@nowhere', 60, 0, HOUR)).toEqual([])
    expect(await store.read('simulated', 60, 0, HOUR)).toEqual([])
  })
})
