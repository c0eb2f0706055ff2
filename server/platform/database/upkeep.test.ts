import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Database } from './db.ts'
import { isQuiet, startUpkeep } from './upkeep.ts'
import { openTestDatabase, testEngines } from '#testing/database/test-database.ts'

/** Changes rows that the statistics count at once: an engine whose clock an earlier file moved ahead is late to do so. */
const write = (db: Database, statement: string) => db.query(`${statement}; select pg_stat_force_next_flush()`)

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
    await write(db, 'insert into upkeep select generate_series(1, 500)')
    await vi.waitFor(async () => expect(await analyzedRows()).toBe(500), { timeout: 5_000, interval: 50 })
    await stop()
  })

  test('a few rows are left alone', async () => {
    await write(db, 'insert into upkeep select generate_series(1, 20)')
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
  // Messages alone, no rows: a file in memory is copied whole each time that a table in it grows.
  await db.query(`select pg_logical_emit_message(false, 'upkeep', repeat('x', 100000)) from generate_series(1, 250)`)
  expect(await redoBytes()).toBeGreaterThan(16_000_000)
  const stop = startUpkeep(db, { lookEveryMs: 10 })
  await vi.waitFor(async () => expect(await redoBytes()).toBeLessThan(1_000_000), { timeout: 5_000, interval: 20 })
  await stop()
  await db.close()
})

describe('embedded: rows that were deleted', () => {
  const pages = async (db: Database) => {
    const { rows } = await db.query<{ vacuums: bigint; clean: boolean }>(
      `select vacuum_count as vacuums, relallvisible >= relpages as clean
         from pg_stat_user_tables join pg_class on oid = relid where pg_class.relname = 'upkeep'`,
    )
    return rows[0]
  }
  const withDeadRows = async () => {
    const db = await openTestDatabase('embedded')
    await db.query('create table upkeep (id bigint primary key); insert into upkeep select generate_series(1, 30000)')
    await write(db, 'delete from upkeep where id % 2 = 0')
    return db
  }
  const often = { lookEveryMs: 10, vacuumLookEveryMs: 20 }

  test('give their space back soon, and leave their index entries for a quiet minute', async () => {
    const db = await withDeadRows()
    const stop = startUpkeep(db, often)
    await vi.waitFor(async () => expect((await pages(db))?.vacuums).toBeGreaterThan(0n), { timeout: 5_000 })
    await new Promise((resolve) => setTimeout(resolve, 200))
    await stop()
    expect(await pages(db)).toEqual({ vacuums: 1n, clean: false })
    await db.close()
  })

  test('lose their index entries when they are due, also on a busy server', async () => {
    const db = await withDeadRows()
    const stop = startUpkeep(db, { ...often, indexesEveryMs: 100 })
    await vi.waitFor(async () => expect(await pages(db)).toEqual({ vacuums: 2n, clean: true }), { timeout: 5_000 })
    await stop()
    await db.close()
  })
})

test.each([
  ['nothing is known yet', [], false],
  ['the only minute', [7], true],
  ['among the tenth with the fewest', [...Array.from({ length: 19 }, (_, n) => 100 + n), 101], true],
  ['like most others', [...Array.from({ length: 19 }, (_, n) => 100 + n), 103], false],
  ['all alike', [60, 60, 60, 60, 60, 60, 60, 60, 60, 60, 60, 60], true],
])('a quiet minute: %s', (_, transactions, quiet) => {
  expect(isQuiet(transactions)).toBe(quiet)
})
