import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { lastSimulatedPrice, simulatedPrice } from '#domain/market/simulated-path.ts'
import { resetDatabase, testEngines } from '#testing/database/test-database.ts'
import { tamperWith } from '#testing/database/tamper.ts'
import { useDatabase } from '#testing/database/use-database.ts'
import { listSeeds } from './queries.ts'
import { COMMITTED_DAYS_AHEAD, ensureSeeds, HISTORY_DAYS, keepingSeeds, loadDay } from './seeds.ts'
import { ensureTicks } from './ticks.ts'

const DAY_MS = 86_400_000
const today = (): number => Math.floor(Date.now() / DAY_MS)
const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

describe.each(testEngines)('seeds on the %s engine', (engine) => {
  const db = useDatabase(engine)

  const list = async () => (await listSeeds(db, { limit: 100, offset: 0 })).rows

  test('the install creates a public history, today and 8 days ahead, and only once', async () => {
    const day = today()
    await Promise.all([ensureSeeds(db), ensureSeeds(db), ensureSeeds(db)])
    const before = await list()
    expect(before.map((row) => row.day)).toEqual(
      Array.from({ length: HISTORY_DAYS + 1 + COMMITTED_DAYS_AHEAD }, (_, i) => dateOf(day + COMMITTED_DAYS_AHEAD - i)),
    )
    await ensureSeeds(db)
    expect(await list()).toEqual(before)
  })

  test('a clock that is ahead at midnight leaves out no day', async () => {
    const keep = keepingSeeds(db, { now: () => (today() + 1) * DAY_MS })
    await keep()
    // As if the database's day had begun as well.
    await tamperWith(db, `update simulated_seeds set day = day - 1`)
    await keep()
    expect((await list())[0]?.day).toBe(dateOf(today() + COMMITTED_DAYS_AHEAD))
  })

  test('a day is shown with the time of its commitment, and nothing of the future', async () => {
    const day = today()
    await ensureSeeds(db)
    // A day's start price stays hidden until a tick of the day was written: by the clock it may not have begun.
    expect((await list()).find((row) => row.day === dateOf(day))?.startPrice).toBeNull()
    await ensureTicks(db, 'simulated', day * 86_400, day * 86_400)
    const byDay = new Map((await list()).map((row) => [row.day, row]))
    const [ahead, install, history] = [1, 0, -1].map((offset) => byDay.get(dateOf(day + offset)))
    expect(ahead).toMatchObject({ isCommittedAhead: true, isPublicHistory: false, seed: null, startPrice: null })
    expect(install).toMatchObject({ isCommittedAhead: false, isPublicHistory: false, seed: null })
    expect(install?.startPrice).toBeGreaterThan(0)
    expect(history).toMatchObject({ isCommittedAhead: false, isPublicHistory: true })
    for (const row of byDay.values()) {
      expect(Math.abs(row.committedAtMs - Date.now())).toBeLessThan(60_000)
      if (row.seed === null) expect(row.commitment).toMatch(/^[0-9a-f]{64}$/)
      else expect(createHash('sha256').update(Buffer.from(row.seed, 'hex')).digest('hex')).toBe(row.commitment)
    }
  })

  test('the history is the same in every install, later seeds are different in each', async () => {
    const day = today()
    const seedsOf = async () => {
      const { rows } = await db.query<{ seed: Uint8Array }>('select seed from simulated_seeds order by day')
      return rows.map((row) => Buffer.from(row.seed).toString('hex'))
    }
    await ensureSeeds(db)
    const [first, price] = [await seedsOf(), await loadDay(db, day)]
    await resetDatabase(db)
    await ensureSeeds(db)
    const [second, again] = [await seedsOf(), await loadDay(db, day)]
    expect(second.slice(0, HISTORY_DAYS)).toEqual(first.slice(0, HISTORY_DAYS))
    expect(again?.startPrice).toBe(price?.startPrice)
    expect(new Set([...first, ...second]).size).toBe(HISTORY_DAYS + 2 * (1 + COMMITTED_DAYS_AHEAD))
  })

  test('each day begins where the day before ended, as its last tick shows', async () => {
    const day = today()
    await ensureSeeds(db)
    for (let before = day - HISTORY_DAYS; before < day + COMMITTED_DAYS_AHEAD; before++) {
      const [path, next] = [await loadDay(db, before), await loadDay(db, before + 1)]
      if (path === null || next === null) expect.fail(`day ${before} has no path`)
      expect(next.startPrice).toBe(lastSimulatedPrice(path.hash, path.startPrice))
    }
    const { ticks } = await ensureTicks(db, 'simulated', day * 86_400 - 1, day * 86_400)
    const path = await loadDay(db, day)
    expect(ticks[0]?.price).toBe(path?.startPrice)
    expect(ticks[1]?.price).toBe(path && simulatedPrice(path.hash, path.startPrice, 0))
    expect(await loadDay(db, day - HISTORY_DAYS - 1)).toBeNull()
  })

  test('after a long stop the missing days are added, and marked as not committed ahead', async () => {
    const day = today()
    const seed = createHash('sha256').update('an old seed').digest()
    await db.query(
      `insert into simulated_seeds (day, seed, commitment, start_price, is_public_history, committed_at)
       values ($1::date, $2::bytea, sha256($2::bytea), 4000000, false, $3::timestamptz)`,
      [dateOf(day - 3), seed, new Date((day - 11) * DAY_MS)],
    )
    await ensureSeeds(db)
    const rows = await list()
    expect(rows.map((row) => [row.day, row.isCommittedAhead, row.isPublicHistory])).toEqual(
      Array.from({ length: 12 }, (_, i) => [dateOf(day + 8 - i), i < 8 || i === 11, false]),
    )
    const old = await loadDay(db, day - 3)
    expect((await loadDay(db, day - 2))?.startPrice).toBe(old && lastSimulatedPrice(old.hash, old.startPrice))
  })

  test('a seed is never changed or deleted', async () => {
    await ensureSeeds(db)
    await expect(db.query('update simulated_seeds set start_price = 1')).rejects.toThrow(/append-only/)
    await expect(db.query('delete from simulated_seeds')).rejects.toThrow(/append-only/)
    await expect(db.query('truncate simulated_seeds')).rejects.toThrow(/append-only/)
    await expect(
      db.query(
        `insert into simulated_seeds (day, seed, commitment, start_price, is_public_history)
         values ('2030-01-01', $1::bytea, sha256('other'), 1, false)`,
        [new Uint8Array(32)],
      ),
    ).rejects.toThrow(/commitment/)
  })
})
