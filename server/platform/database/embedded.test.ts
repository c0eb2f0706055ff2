// Gate: processes are killed in the middle of their work.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, openAsBlob, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { embeddedSyncCount, newClusterDump, openEmbedded, RESTORING } from './embedded.ts'
import type { EmbeddedDatabase } from './embedded.ts'
import { keepEmptyCluster } from './empty-cluster.ts'
import { LockHeldError } from '#server/platform/process/process-lock.ts'

const loadDump = await openAsBlob(inject('embeddedDumpPath'))
const NODE_COMPILE_CACHE = fileURLToPath(new URL('../../../.build/compile-cache', import.meta.url))
const env = { ...process.env, NODE_COMPILE_CACHE }
const moduleUrl = JSON.stringify(new URL('./embedded.ts', import.meta.url).href)

// One folder for all tests, because creating one takes seconds. Each test closes its database.
const dataDir = mkdtempSync(join(tmpdir(), 'embedded-'))
beforeAll(async () => {
  const db = await openEmbedded({ dataDir, loadDump })
  await db.query('create table item (id bigint primary key, note text)')
  await db.close()
})
afterAll(() => rmSync(dataDir, { recursive: true }))

const ids = async (db: EmbeddedDatabase) =>
  (await db.query<{ id: bigint }>('select id from item order by id')).rows.map((row) => Number(row.id))

describe('a database in a folder', () => {
  let db: EmbeddedDatabase
  beforeEach(async () => {
    db = await openEmbedded({ dataDir })
    await db.query('truncate item')
  })
  afterEach(() => db.close())

  test('syncs once per commit, and not to read', async () => {
    const insert = 'insert into item values ($1)'
    const before = embeddedSyncCount()
    for (let id = 1; id <= 20; id++) await db.query(insert, [id])
    expect(embeddedSyncCount() - before).toBe(20)
    await db.tx(async (tx) => {
      for (let id = 21; id <= 30; id++) await tx.query(insert, [id])
      expect(embeddedSyncCount() - before).toBe(20)
      await tx.commitWith(insert, [31])
    })
    expect(embeddedSyncCount() - before).toBe(21)
    await db.query('select count(*) from item')
    await db.tx((tx) => tx.query('select count(*) from item'))
    expect(embeddedSyncCount() - before).toBe(21)
  })

  test('keeps what was committed, and lets nobody else in meanwhile', async () => {
    await db.query('insert into item values (1), (2)')
    await expect(openEmbedded({ dataDir })).rejects.toThrow(LockHeldError)
    await db.close()
    db = await openEmbedded({ dataDir })
    expect(await ids(db)).toEqual([1, 2])
  })
})

describe('a process of its own', () => {
  /** A program that opens the folder as `db` and creates an empty table. */
  const program = (body: string): readonly string[] => [
    '--input-type=module',
    '--eval',
    `import fs from 'node:fs'
     import { syncBuiltinESMExports } from 'node:module'
     import { openEmbedded } from ${moduleUrl}
     const db = await openEmbedded({ dataDir: ${JSON.stringify(dataDir)} })
     await db.query('truncate item')
     ${body}`,
  ]
  const run = (body: string) => spawnSync(process.execPath, program(body), { env, encoding: 'utf8', timeout: 25_000 })
  const left = async () => {
    const db = await openEmbedded({ dataDir })
    const found = await ids(db)
    await db.close()
    return found
  }

  test('that is killed loses nothing that it acknowledged', async () => {
    const child = spawn(
      process.execPath,
      program(`for (let id = 1; ; id++) {
        await db.query('insert into item values ($1, repeat($2, 500))', [id, 'x'], { name: 'insert' })
        process.stdout.write(id + '\\n')
      }`),
      { env },
    )
    let printed = ''
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
      if (printed.length > 2_000) child.kill('SIGKILL')
    })
    await once(child, 'close')
    const acknowledged = printed.split('\n').slice(0, -1).map(Number)
    expect(acknowledged.length).toBeGreaterThan(100)
    expect((await left()).slice(0, acknowledged.length)).toEqual(acknowledged)
  })

  test('ends before it acknowledges what could not be synced', async () => {
    const { stdout, stderr, status } = run(`
      fs.fdatasyncSync = () => { throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' }) }
      syncBuiltinESMExports()
      await db.query('insert into item values (1)')
      console.log('acknowledged')`)
    expect([stdout, status]).toEqual(['', 1])
    expect(stderr).toMatch(/The disk refused to store the database: .*EIO/)
  })

  test('ends when the engine shuts itself down, instead of hanging in the next call', async () => {
    const { stdout, stderr, status } = run(`
      const { writeSync } = fs
      let isFull = false
      fs.writeSync = (fd, ...rest) => {
        if (isFull && fd > 2) throw Object.assign(new Error('disk full'), { code: 'ENOSPC' })
        return writeSync(fd, ...rest)
      }
      syncBuiltinESMExports()
      // The table has room for another row; the log cannot take it.
      await db.query('insert into item values (1)')
      isFull = true
      await db.query('insert into item values (2)').catch(() => {})
      await db.query('select 1')
      console.log('answered')`)
    expect([stdout, status]).toEqual(['', 1])
    expect(stderr).toMatch(/The embedded database stopped: .*No space left on device/)
    expect(await left()).toEqual([1])
  })

  const hasStrace = spawnSync('strace', ['-V']).status === 0
  test.runIf(hasStrace)('has the operating system sync at least once per commit (needs strace)', async () => {
    const summary = join(dataDir, 'strace')
    const commits = 20
    const traced = spawnSync(
      'strace',
      [
        ...['-f', '-c', '-e', 'trace=fdatasync,fsync', '-o', summary, process.execPath],
        ...program(`for (let id = 1; id <= ${commits}; id++) await db.query('insert into item values ($1)', [id])
          process.exit(0)`),
      ],
      { env, encoding: 'utf8' },
    )
    expect(traced.stderr).toBe('')
    // Columns: share of the time, seconds, microseconds per call, calls, errors if there were any, name.
    const line = /^.*\bfdatasync$/m.exec(readFileSync(summary, 'utf8'))?.[0] ?? ''
    expect(Number(line.trim().split(/\s+/)[3])).toBeGreaterThanOrEqual(commits)
  })
})

test('without durability nothing is synced', async () => {
  const before = embeddedSyncCount()
  const db = await openEmbedded({ dataDir, durable: false })
  await db.query('insert into item values (1000)')
  await db.close()
  expect(embeddedSyncCount()).toBe(before)
})

test('a folder that is damaged is not opened, and the error gives the reason', async () => {
  const control = join(dataDir, 'pg', 'global', 'pg_control')
  const intact = readFileSync(control)
  writeFileSync(control, 'x')
  await expect(openEmbedded({ dataDir })).rejects.toThrow(/could not be opened: .*control/)
  writeFileSync(control, intact)
  await (await openEmbedded({ dataDir })).close()
})

test('a lock file that a power cut left empty keeps nobody out', async () => {
  writeFileSync(join(dataDir, 'pg', 'postmaster.pid'), '')
  await (await openEmbedded({ dataDir })).close()
})

test('a database whose creation was interrupted is created anew', async () => {
  expect(readdirSync(dataDir)).not.toContain('pg.creating')
  writeFileSync(join(dataDir, 'pg.creating'), '')
  rmSync(join(dataDir, 'pg', 'global'), { recursive: true })
  const again = await openEmbedded({ dataDir, loadDump })
  expect((await again.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  await again.close()
  expect(readdirSync(dataDir)).not.toContain('pg.creating')
})

test('a folder whose restore was interrupted gets no new, empty database', async () => {
  const halfDir = mkdtempSync(join(tmpdir(), 'embedded-'))
  mkdirSync(join(halfDir, RESTORING, 'pg'), { recursive: true })
  await expect(openEmbedded({ dataDir: halfDir })).rejects.toThrow('was interrupted')
  expect(readdirSync(halfDir)).not.toContain('pg')
  rmSync(halfDir, { recursive: true })
})

test('a new folder begins as a copy of the empty database that was kept', async () => {
  await keepEmptyCluster(newClusterDump)
  const freshDir = mkdtempSync(join(tmpdir(), 'embedded-'))
  const db = await openEmbedded({ dataDir: freshDir })
  const { rows } = await db.query(`select count(*)::int4 as tables from pg_tables where schemaname = 'public'`)
  expect(rows).toEqual([{ tables: 0 }])
  await db.close()
  rmSync(freshDir, { recursive: true })
})

describe('in memory', () => {
  let db: EmbeddedDatabase
  beforeAll(async () => {
    db = await openEmbedded({ dataDir: null, loadDump })
  })
  afterAll(() => db.close())

  test('a dump holds everything', async () => {
    await db.query('create table item (id bigint); insert into item values (7)')
    const copy = await openEmbedded({ dataDir: null, loadDump: await db.dump() })
    expect(await ids(copy)).toEqual([7])
    await copy.close()
  })

  test('timers get their turn during long work', async () => {
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    const startedAt = performance.now()
    // As long as a busy machine may need for six turns; without any pause there is none.
    while (turns <= 5 && performance.now() - startedAt < 5_000) await db.query('select count(*) from pg_class')
    clearInterval(timer)
    expect(turns).toBeGreaterThan(5)
  })
})
