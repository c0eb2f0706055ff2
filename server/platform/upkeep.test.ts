import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Database } from './db.ts'
import { startUpkeep } from './upkeep.ts'
import { openTestDatabase, testEngines } from '../testing/test-database.ts'

describe.each(testEngines)('%s', (engine) => {
  let db: Database

  beforeAll(async () => {
    db = await openTestDatabase(engine)
  })
  beforeEach(async () => {
    await db.query('drop table if exists upkeep; create table upkeep (id bigint primary key)')
  })
  afterAll(() => db.close())

  const analyzedRows = async () => {
    const { rows } = await db.query<{ reltuples: number }>(`select reltuples from pg_class where relname = 'upkeep'`)
    return rows[0]?.reltuples
  }

  test('a table is analysed soon after its first rows were written', async () => {
    const stop = startUpkeep(db, { lookEveryMs: 20, analyzeEveryMs: 20 })
    await db.query('insert into upkeep select generate_series(1, 500)')
    await vi.waitFor(async () => expect(await analyzedRows()).toBe(500), { timeout: 5_000, interval: 50 })
    await stop()
  })

  test('a few rows are left alone', async () => {
    await db.query('insert into upkeep select generate_series(1, 20)')
    const stop = startUpkeep(db, { lookEveryMs: 10, analyzeEveryMs: 10 })
    await new Promise((resolve) => setTimeout(resolve, 100))
    await stop()
    expect(await analyzedRows()).toBe(-1)
  })

  test('after stop() the database can be closed', async () => {
    const own = await openTestDatabase(engine)
    const stop = startUpkeep(own, { lookEveryMs: 1, analyzeEveryMs: 1 })
    await stop()
    await own.close()
  })
})

test('embedded: the log is cut by checkpoints', async () => {
  const db = await openTestDatabase('embedded')
  const redoBytes = async () => {
    const { rows } = await db.query<{ bytes: number }>(
      `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::float8 as bytes from pg_control_checkpoint()`,
    )
    return rows[0]?.bytes ?? 0
  }
  await db.query(`create table upkeep as select repeat('x', 1000) as pad from generate_series(1, 25000)`)
  expect(await redoBytes()).toBeGreaterThan(16_000_000)
  const stop = startUpkeep(db, { lookEveryMs: 10 })
  await vi.waitFor(async () => expect(await redoBytes()).toBeLessThan(1_000_000), { timeout: 5_000, interval: 20 })
  await stop()
  await db.close()
})
