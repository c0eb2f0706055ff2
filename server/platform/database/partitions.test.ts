// Gate: months of partitions are filled.
import { afterEach, describe, expect, inject, test } from 'vitest'
import { openSettableDatabase } from '#testing/time/settable-database.ts'
import { type Engine, openTestDatabase, testEngines } from '#testing/database/test-database.ts'
import type { Database } from './db.ts'
import { migrate, readMigrations } from './migrate.ts'
import { openEmbedded } from './embedded.ts'
import { openNative } from './native.ts'
import { listPartitions, makePartitionsAhead, MONTHS_AHEAD, PARTITIONED } from './partitions.ts'
import { startUpkeep } from './upkeep.ts'

const DAY_MS = 86_400_000
const monthOf = (at: Date) => at.getUTCFullYear() * 12 + at.getUTCMonth()

const BEFORE = readMigrations().filter(({ name }) => name < '0061')
const SINCE = readMigrations().length - BEFORE.length

let oldDump: Blob | undefined
/** A database as it was before its tables were partitioned. */
async function openOldDatabase(engine: Engine): Promise<Database & { readonly url: string | null }> {
  if (engine === 'native') {
    const db = await openTestDatabase(engine)
    await db.query('drop schema public cascade; create schema public')
    await migrate(db, BEFORE)
    return db
  }
  // The embedded engine cannot forget the tables that it has opened.
  const db = await openEmbedded({ dataDir: null, ...(oldDump !== undefined && { loadDump: oldDump }) })
  if (oldDump === undefined) await migrate(db, BEFORE)
  oldDump ??= await db.dump()
  return { ...db, url: null }
}

const addTick = (db: Database, at: Date) =>
  db.query(`insert into ticks (source, second) values ('x', floor(extract(epoch from $1::timestamptz))::bigint)`, [at])
const addAct = (db: Database, seq: number, at: Date) =>
  db.query(
    `insert into audit_log (seq, at, actor, act, target, previous_hash, hash) values ($1, $2, 'system', 'x', 'y', '', '')`,
    [BigInt(seq), at],
  )

describe.each(testEngines)('partitions by month on %s', (engine) => {
  const opened: Database[] = []
  const track = <D extends Database>(db: D): D => (opened.push(db), db)
  afterEach(async () => {
    for (const db of opened.splice(0).toReversed()) await db.close()
  })

  const partOf = async (db: Database, table: string) =>
    (await db.query<{ part: string }>(`select tableoid::regclass::text as part from ${table} order by 1`)).rows.map(
      ({ part }) => part,
    )

  test('rows of an old database stay where they are, those of later months get tables of their own', async () => {
    const db = track(await openOldDatabase(engine))
    const now = new Date()
    await addTick(db, new Date(0))
    await addTick(db, now)
    await addAct(db, 1, new Date(0))
    await addAct(db, 2, now)
    const fileOf = async (table: string) =>
      (await db.query<{ file: number }>(`select pg_relation_filenode($1::regclass)::int4 as file`, [table])).rows[0]
    const files = [await fileOf('ticks'), await fileOf('audit_log')]

    expect((await migrate(db)).length).toBe(SINCE)
    expect([await fileOf('ticks_first'), await fileOf('audit_log_first')]).toEqual(files)
    for (const table of PARTITIONED) {
      const [first, next] = await listPartitions(db, table)
      expect(first).toMatchObject({ name: `${table}_first`, starts: null })
      // An upgrade that stops half-way leaves the check of this end behind.
      expect(monthOf(first?.ends ?? now) - monthOf(now)).toBe(3)
      expect(next?.starts).toEqual(first?.ends)
      // The last microsecond of the first one, and the first of the next.
      const end = first?.ends ?? now
      if (table === 'ticks') {
        await addTick(db, new Date(end.getTime() - 1))
        await addTick(db, end)
      } else {
        await addAct(db, 3, new Date(end.getTime() - 1))
        await addAct(db, 4, end)
      }
      expect(await partOf(db, table)).toEqual([next?.name, ...Array<string>(3).fill(`${table}_first`)].toSorted())
    }
    // As the version before writes and reads.
    await db.query(`insert into ticks (source, second) values ('x', 0) on conflict do nothing`)
    expect((await db.query(`select 1 from ticks where source = 'x'`)).rows.length).toBe(4)
    expect((await db.query<{ seq: bigint }>('select seq from audit_log where seq > 1 order by seq')).rows).toEqual(
      [2n, 3n, 4n].map((seq) => ({ seq })),
    )
  })

  test('the first partition reaches past rows of a clock that was ahead', async () => {
    const db = track(await openOldDatabase(engine))
    const ahead = new Date(Date.UTC(2031, 4, 31, 23, 59, 59))
    await addTick(db, ahead)
    await addAct(db, 1, ahead)
    await migrate(db)
    for (const table of PARTITIONED)
      expect((await listPartitions(db, table)).map(({ ends }) => ends.toISOString().slice(0, 10))).toEqual([
        '2031-08-01',
        '2031-09-01',
      ])
  })

  test('months are made ahead, once, by any number of processes, and no month is left out', async () => {
    const db = track(await openSettableDatabase(engine))
    const others = db.url === null ? [db, db] : [track(openNative({ url: db.url })), track(openNative({ url: db.url }))]
    const now = Date.now()
    const days = inject('isFull') ? 800 : 200
    for (let day = 0; day < days; day += 25) {
      await db.setAhead(day * DAY_MS)
      await Promise.all(others.map(makePartitionsAhead))
      const at = new Date(now + day * DAY_MS)
      for (const table of PARTITIONED) {
        const all = await listPartitions(db, table)
        expect(monthOf(all.at(-1)?.ends ?? at) - monthOf(at)).toBeGreaterThan(MONTHS_AHEAD)
        for (const [index, { starts }] of all.entries()) expect(starts).toEqual(all[index - 1]?.ends ?? null)
      }
      await addTick(db, at)
      await addAct(db, day, at)
    }
    expect(await makePartitionsAhead(db)).toEqual([])
  })

  test('a clock that jumps by years finds its months, also on its way back', async () => {
    const db = track(await openSettableDatabase(engine))
    const stop = startUpkeep(db, { lookEveryMs: 5, partitionsEveryMs: 5 })
    for (const years of [4, 2, 3, 0, -1]) {
      await db.setAhead(years * 365 * DAY_MS)
      const at = new Date(Date.now() + years * 365 * DAY_MS)
      for (const days of [-1, 0, 1, 89]) await soon(() => addTick(db, new Date(at.getTime() + days * DAY_MS)))
    }
    await stop()
    const all = await listPartitions(db, 'ticks')
    // Only what was needed: not a table for each month in between.
    expect(all.length).toBeLessThan(20)
    for (const [index, { starts, ends }] of all.entries()) {
      expect(starts === null || starts < ends).toBe(true)
      if (index > 0) expect(starts?.getTime()).toBeGreaterThanOrEqual(all[index - 1]?.ends.getTime() ?? 0)
    }
  })

  test('every partition refuses changes as the whole does, by its own name too', async () => {
    const db = track(await openSettableDatabase(engine))
    await makePartitionsAhead(db)
    for (const table of PARTITIONED) {
      const all = await listPartitions(db, table)
      for (const [index, { name, ends }] of all.entries()) {
        const within = new Date(ends.getTime() - DAY_MS)
        await (table === 'ticks' ? addTick(db, within) : addAct(db, index + 1, within))
        for (const named of [table, name])
          for (const change of [`delete from ${named}`, `truncate ${named}`, `update ${named} set ${column(table)}`])
            await expect(db.query(change)).rejects.toThrow(/append-only/)
      }
      expect(await partOf(db, table)).toEqual(all.map(({ name }) => name).toSorted())
    }
  })

  test('the newest page of many months reads a row of each month at most', async () => {
    const db = track(await openSettableDatabase(engine))
    const now = Date.now()
    for (let month = 0; month < 6; month++) {
      await db.setAhead(month * 30 * DAY_MS)
      await makePartitionsAhead(db)
    }
    await db.query(
      `insert into ticks (source, second) select 'x', $1::bigint + n * 1200 from generate_series(0, 10000) n`,
      [BigInt(Math.floor(now / 1000))],
    )
    await db.query(
      `insert into audit_log (seq, at, actor, act, target, previous_hash, hash)
       select n, $1::timestamptz + n * interval '20 minutes', 'system', 'x', 'y' || n % 50, '', '' from generate_series(1, 10000) n`,
      [new Date(now)],
    )
    for (const table of PARTITIONED)
      for (const { name } of await listPartitions(db, table)) await db.query(`analyze ${name}`)
    for (const [sql, most] of [
      [`select * from audit_log order by seq desc limit 51`, 51],
      [`select * from audit_log where target = 'y7' order by seq desc limit 51`, 51],
      [`select * from audit_log where act = 'x' and seq < 7500 order by seq desc limit 51`, 51],
      [`select * from audit_log where seq > 2500 order by seq limit 1000`, 1000],
      [`select * from ticks where source = 'x' order by second desc limit 1`, 1],
    ] as const) {
      const { rows } = await db.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(`explain (analyze, format json) ${sql}`)
      const plan = rows[0]?.['QUERY PLAN'][0].Plan
      expect([sql, readBy(plan) <= most + (await listPartitions(db, 'ticks')).length]).toEqual([sql, true])
    }
  })
})

describe.runIf(testEngines.includes('native'))('migrating in use (PostgreSQL only)', () => {
  test('behind a long transaction nobody else waits, and the rows are looked at for as long as it takes', async () => {
    const db = await openOldDatabase('native')
    const url = db.url ?? ''
    await db.query(
      `insert into audit_log (seq, at, actor, act, target, previous_hash, hash)
         select n, now(), 'system', 'x', 'y' || n, '', '' from generate_series(1, 400000) n;
       insert into ticks (source, second) select 'x', n from generate_series(1, 400000) n`,
    )
    const reader = openNative({ url, max: 1, idleInTxTimeoutMs: 60_000 })
    // Waiting takes longer than its statements may elsewhere.
    const migrator = openNative({ url, max: 1, statementTimeoutMs: 500 })
    const writer = openNative({ url, max: 1 })
    let isOver = false
    let [written, longestMs] = [0, 0]
    const writing = (async () => {
      for (let n = 0; !isOver; n++) {
        await addTick(writer, new Date(n * 1000 + 1_000_000_000_000))
        await addAct(writer, 400_001 + n, new Date())
        await writer.query('select max(seq) from audit_log')
        written++
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
    })()
    const watching = (async () => {
      while (!isOver) {
        const { rows } = await db.query<{ ms: number }>(
          `select (extract(epoch from clock_timestamp() - waitstart) * 1000)::float8 as ms from pg_locks l
            where not granted and waitstart is not null and locktype = 'relation'
              and database = (select oid from pg_database where datname = current_database())`,
        )
        longestMs = Math.max(longestMs, ...rows.map(({ ms }) => ms))
      }
    })()
    let migrating: Promise<string[]> | undefined
    await reader.tx(async (tx) => {
      await tx.query('select (select 1 from ticks limit 1), (select 1 from audit_log limit 1)')
      migrating = migrate(migrator)
      await new Promise((resolve) => setTimeout(resolve, 2_500))
      expect(await listPartitions(db, 'ticks')).toEqual([])
    })
    expect((await migrating)?.length).toBeGreaterThan(5)
    isOver = true
    await Promise.all([writing, watching])
    expect(written).toBeGreaterThan(20)
    // The migration waited, and was seen doing so.
    expect(longestMs).toBeGreaterThan(50)
    expect(longestMs).toBeLessThan(500)
    expect((await listPartitions(db, 'audit_log')).length).toBe(2)
    await Promise.all([reader.close(), migrator.close(), writer.close()])
    await db.close()
  })
})

interface PlanNode {
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly PlanNode[]
}

/** The rows that the leaves of a plan read. */
function readBy(node: PlanNode | undefined): number {
  if (node === undefined) return Number.POSITIVE_INFINITY
  const { Plans: parts = [] } = node
  if (parts.length > 0) return parts.reduce((sum, part) => sum + readBy(part), 0)
  return node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0))
}

const column = (table: string) => (table === 'ticks' ? `source = 'y'` : `act = 'y'`)

/** Tries again for a while. */
async function soon(work: () => Promise<unknown>): Promise<void> {
  for (let left = 200; ; left--) {
    try {
      await work()
      return
    } catch (error) {
      if (left === 0) throw error
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}
