import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openAuditLog, recordAct } from '#server/features/audit/index.ts'
import { bookKeyOf } from '#server/features/book/index.ts'
import type { Database } from '#server/platform/database/db.ts'
import { createLog } from '#server/platform/process/log.ts'
import { programVersion } from '#server/platform/process/program-version.ts'
import { openNative } from '#server/platform/database/native.ts'
import { AUDIT_KEY } from '#testing/play/books.ts'
import { markMovedAway } from '#server/platform/process/move-mark.ts'
import { createPlayers } from '#testing/play/rounds.ts'
import { startOwnRedis, startSilentServer } from '#testing/machines/redis.ts'
import { makePartitionsAhead } from '#server/platform/database/partitions.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { useDatabase } from '#testing/database/use-database.ts'
import {
  examineBackups,
  examineDatabase,
  examineDisk,
  examineOwner,
  judgeBackupAge,
  judgeNotOpened,
  judgeRehearsal,
  judgeRelease,
  judgeRoom,
  whyNotOpened,
} from './doctor.ts'
import { examineRedis, examineSocket, judgeProxy, judgeRedis } from './examine-connections.ts'
import { growthOf, noteDisk, readNotedDisk } from './disk-growth.ts'
import { noteFailedRehearsal, noteRehearsal, readRehearsal } from './rehearsal.ts'
import { tamperWith } from '#testing/database/tamper.ts'

const MINUTE = 60_000
const log = createLog('silent')
const key = bookKeyOf(Buffer.alloc(32, 3))
const folder = mkdtempSync(join(tmpdir(), 'doctor-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe.each(testEngines)('the examination of a database on %s', (engine) => {
  const db = useDatabase(engine)
  beforeAll(async () => {
    await openAuditLog(db, AUDIT_KEY)
  })
  beforeEach(async () => {
    await openAuditLog(db, AUDIT_KEY)
    await createPlayers(db, 2)
    await db.tx((tx) => recordAct(tx, 'system', 'user.update', 'user:x'))
    await db.query(`insert into book_logs (generation, origin, vkey) values (1, $1, $2)`, [
      'kim-phien/test',
      key.signerOf('kim-phien/test').vkey,
    ])
    await db.query(`insert into book_tips (generation) values (1)`)
  })

  const examine = (of: Database = db, bookKey = key) =>
    examineDatabase({ db: of, dataDir: folder, bookKey: () => bookKey })
  /** What is wrong, without what depends on the machine: its disk, and whether it archives. */
  const faults = async (...given: Parameters<typeof examine>) =>
    (await examine(...given)).filter(({ is, what }) => is === 'wrong' && !/^(Commit|Archived log)/.test(what))
  const change = (text: string) => tamperWith(db, text)

  test('finds nothing wrong with one that is right, and says what it looked at', async () => {
    expect(await faults()).toEqual([])
    const names = (await examine()).map(({ what }) => what.split(':', 1)[0])
    const both = ['Database', 'Migrations', 'Partitions', 'Commit', 'Ledger', 'Audit log', 'Open book']
    expect(names.toSorted()).toEqual(
      [...both, ...(engine === 'native' ? ['Clock', 'Archived log', 'Backups', 'Rehearsal'] : [])].toSorted(),
    )
    const commit = (await examine()).find(({ what }) => what.startsWith('Commit'))
    expect(commit?.what).toMatch(/^Commit: on the disk in \d+\.\d ms$/)
  })

  test.each([
    [
      'Ledger: 2 faults',
      `update ledger_accounts set balance = balance + 1 where kind = 'house'`,
      `update ledger_accounts set balance = balance - 1 where kind = 'house'`,
    ],
    [
      'Audit log: broken, row 1 (changed)',
      `update audit_log set act = 'user.view'`,
      `update audit_log set act = 'user.update'`,
    ],
    ['Open book: nothing is signed (AHEAD)', `update book_tips set stopped = 'AHEAD'`, null],
    ['Open book: not begun', `delete from book_tips`, null],
    [
      'Open book: entries wait since 3600 s',
      `insert into book_queue (kind, fields, at_ms) values ('act', '', floor(extract(epoch from clock_timestamp()) * 1000)::bigint - 3600100)`,
      'delete from book_queue',
    ],
    [
      'Migrations: ',
      `delete from schema_migration where name like '0060%'`,
      `insert into schema_migration (name, sha256) values ('0060_bank_number_ends.sql', 'x')`,
    ],
    [
      'Migrations: the database is of a newer version',
      `insert into schema_migration (name, sha256) values ('9999_later.sql', 'x')`,
      `delete from schema_migration where name = '9999_later.sql'`,
    ],
    [
      'Migrations: a move to this database is not finished',
      'create table move_mark (installation_id uuid, finished_at timestamptz); insert into move_mark values (gen_random_uuid())',
      'drop table move_mark',
    ],
  ])('finds "%s"', async (what, statement, back) => {
    await change(statement)
    const found = await faults()
    if (back !== null) await change(back)
    expect(found.map((finding) => finding.what)).toEqual([expect.stringContaining(what)])
    expect(found[0]?.todo).not.toBe('')
  })

  test('finds months without partitions, at the end and in between', async () => {
    const now = new Date()
    const next = (months: number) =>
      new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months)).toISOString().slice(0, 10)
    await db.query(`drop table audit_log_${next(3).slice(0, 7).replace('-', '_')}`)
    expect(await faults()).toMatchObject([
      {
        is: 'wrong',
        what: `Partitions: ticks until ${next(4)}, audit_log until ${next(3)}`,
        todo: expect.stringContaining('start a server') as unknown,
      },
    ])
    await db.query(`select make_month('audit_log', $1::date)`, [next(4)])
    expect((await faults()).map(({ what }) => what)).toEqual([expect.stringContaining(`audit_log until ${next(3)}`)])
    expect(await makePartitionsAhead(db)).toEqual([`audit_log_${next(3).slice(0, 7).replace('-', '_')}`])
    expect(await faults()).toEqual([])
  })

  test('finds money acts that are closed though the books are right', async () => {
    await db.query(`update ledger_checkpoint set failed_at = clock_timestamp()`)
    expect(await faults()).toEqual([
      expect.objectContaining({ todo: 'run npm run audit:ledger, then with -- --clear', why: 'CLOSED' }) as unknown,
    ])
  })

  test('finds another key of the open book', async () => {
    const found = await faults(db, bookKeyOf(Buffer.alloc(32, 4)))
    expect(found.map(({ what }) => what)).toEqual(['Open book: this machine has another key'])
  })

  test('goes on after a look that failed, and names it', async () => {
    await db.query('alter table book_queue rename to away')
    const found = await faults()
    await db.query('alter table away rename to book_queue')
    expect(found.map(({ what }) => what)).toEqual([expect.stringMatching(/^Open book: .*book_queue/)])
  })

  test.runIf(engine === 'native')(
    'finds a clock that is off, and a log that is not archived (PostgreSQL only)',
    async () => {
      const early: Database = {
        ...db,
        // Without its name, which belongs to the statement as it was.
        query: (text, params) =>
          db.query(text.replace('clock_timestamp()', `clock_timestamp() - interval '5 s'`), params),
      }
      expect((await faults(early)).map(({ what }) => what)).toEqual([expect.stringMatching(/^Clock: .* [45]\d{3} ms /)])
      const { rows } = await db.query<{ mode: string }>(`select current_setting('archive_mode') as mode`)
      const archive = (await examine()).find(({ what }) => what.startsWith('Archived log'))
      if (rows[0]?.mode === 'off') expect(archive).toMatchObject({ is: 'wrong', what: 'Archived log: none' })
      else expect(archive?.what).toMatch(/^Archived log: /)
    },
  )
})

describe('the disk and the backups', () => {
  test('room: a gigabyte and a twentieth have to be free', async () => {
    expect(judgeRoom('x', 2e9, 10e9)).toMatchObject({ is: 'ok', what: 'Disk of x: 2.0 GB of 10.0 GB free' })
    expect(judgeRoom('x', 0.9e9, 1e9).is).toBe('wrong')
    expect(judgeRoom('x', 4e9, 100e9).is).toBe('wrong')
    expect(judgeRoom('x', 2e9, 10e9, 0.1e9)).toMatchObject({ is: 'ok', facts: { growthBytes: 0.1e9, daysLeft: 20 } })
    expect(judgeRoom('x', 2e9, 10e9, 0.2e9)).toMatchObject({
      ...{ is: 'wrong', why: 'FILLING', what: 'Disk of x: 2.0 GB of 10.0 GB free, for 10 days as it fills now' },
    })
    expect(judgeRoom('x', 2e9, 10e9, -1)).toMatchObject({ is: 'ok', facts: { growthBytes: -1 } })
    expect((await examineDisk('DATA_DIR', folder)).what).toMatch(/^Disk of DATA_DIR: [\d.]+ GB of [\d.]+ GB free$/)
    expect(await examineDisk('DATA_DIR', join(folder, 'nowhere'))).toMatchObject({ is: 'wrong' })
  })

  test('age: none, one of today, one that the schedule should have followed', async () => {
    expect(await examineBackups(join(folder, 'nowhere'), null)).toMatchObject({
      is: 'wrong',
      what: 'Backups: there is none',
    })
    const file = join(folder, 'kim-phien-20260101T000000000Z.backup')
    writeFileSync(file, '')
    expect(await examineBackups(folder, null)).toMatchObject({ is: 'wrong' })
    expect(await examineBackups(file, null)).toMatchObject({ is: 'wrong', why: 'BROKEN' })
    expect(judgeBackupAge(20 * MINUTE, 15 * MINUTE)).toMatchObject({
      is: 'ok',
      what: 'Backups: the newest is 20 min old',
    })
    expect(judgeBackupAge(3 * 60 * MINUTE, null).what).toBe('Backups: the newest is 3 h old')
    expect(judgeBackupAge(5 * 24 * 60 * MINUTE, null).what).toBe('Backups: the newest is 5 days old')
    expect(judgeBackupAge(31 * MINUTE, 15 * MINUTE)).toMatchObject({ is: 'wrong', todo: 'see the log of the server' })
    expect(judgeBackupAge(23 * 60 * MINUTE, null).is).toBe('ok')
    expect(judgeBackupAge(25 * 60 * MINUTE, null).is).toBe('wrong')
  })

  test('growth: unknown for three days, and then by the week', async () => {
    const own = mkdtempSync(join(tmpdir(), 'doctor-disk-'))
    const day = 24 * 60 * MINUTE
    expect(readNotedDisk(own)).toEqual([])
    await noteDisk(own, 10 * day)
    await noteDisk(own, 10.9 * day)
    expect(readNotedDisk(own)).toMatchObject([{ atMs: 10 * day, usedBytes: expect.any(Number) as number }])
    for (let at = 11; at < 20; at++) await noteDisk(own, at * day)
    expect(readNotedDisk(own).map(({ atMs }) => atMs / day)).toEqual([12, 13, 14, 15, 16, 17, 18, 19])
    const noted = [{ atMs: 10 * day, usedBytes: 5e9 }]
    expect(growthOf([], { atMs: 99 * day, usedBytes: 9e9 })).toBeNull()
    expect(growthOf(noted, { atMs: 12.9 * day, usedBytes: 6e9 })).toBeNull()
    expect(growthOf(noted, { atMs: 14 * day, usedBytes: 7e9 })).toBe(0.5e9)
    // A clock that was ahead for a moment must not keep the next days from being noted.
    await noteDisk(own, 99 * day)
    await noteDisk(own, 20 * day)
    expect(readNotedDisk(own).map(({ atMs }) => atMs / day)).toEqual([13, 14, 15, 16, 17, 18, 19, 20])
    writeFileSync(join(own, 'disk-used'), 'torn')
    expect(readNotedDisk(own)).toEqual([])
    rmSync(own, { recursive: true })
  })

  test('a rehearsal: none, one of late, one of long ago, and one that failed since', () => {
    const own = mkdtempSync(join(tmpdir(), 'doctor-rehearsal-'))
    expect(judgeRehearsal(readRehearsal(own))).toMatchObject({ is: 'skipped', why: 'NONE' })
    noteRehearsal(own, 1)
    expect(judgeRehearsal(readRehearsal(own))).toMatchObject({ is: 'ok', why: null })
    const longAgo = new Date(Date.now() - 40 * 24 * 60 * MINUTE)
    utimesSync(join(own, 'restore-rehearsed'), longAgo, longAgo)
    expect(judgeRehearsal(readRehearsal(own))).toMatchObject({
      ...{ is: 'wrong', why: 'OLD', what: 'Rehearsal: a backup was restored for practice 40 days ago' },
    })
    noteFailedRehearsal(own)
    expect(judgeRehearsal(readRehearsal(own))).toMatchObject({ is: 'wrong', why: 'FAILED' })
    noteRehearsal(own, 1)
    expect(judgeRehearsal(readRehearsal(own))).toMatchObject({ is: 'ok' })
    // A machine whose first rehearsal fails may have no folder yet.
    noteFailedRehearsal(join(own, 'new'))
    expect(judgeRehearsal(readRehearsal(join(own, 'new')))).toMatchObject({ is: 'wrong', why: 'FAILED' })
    rmSync(own, { recursive: true })
  })

  test('a newer version is known by the operator’s file alone', () => {
    const own = mkdtempSync(join(tmpdir(), 'doctor-release-'))
    const version = programVersion()
    const [major = 0, minor = 0] = version.split('.').map(Number)
    const judgeFile = (text: string) => {
      writeFileSync(join(own, 'newest-version'), text)
      return judgeRelease(own)
    }
    expect(judgeRelease(own)).toMatchObject({ what: `Version: ${version}`, facts: { version } })
    for (const older of [version, `${major}.${minor - 1}.99`, 'a page of html', ''])
      expect(judgeFile(older)).toMatchObject({ is: 'ok', why: null, todo: '' })
    for (const newer of [`v${major}.${minor + 10}.0\n`, `${major + 1}.0.0`])
      expect(judgeFile(newer)).toMatchObject({ is: 'ok', why: 'NEWER', facts: { newer: /\d.*\d/.exec(newer)?.[0] } })
    rmSync(own, { recursive: true })
  })

  test('a folder without a database, or without the key of its audit log, is not opened', () => {
    const settings = { databaseUrl: null, dataDir: folder, auditKey: null }
    expect(whyNotOpened(settings)?.what).toBe(`Database: ${folder} has none`)
    expect(whyNotOpened({ ...settings, databaseUrl: 'postgres://h/d' })?.what).toContain('has no audit.key')
    expect(whyNotOpened({ ...settings, databaseUrl: 'postgres://h/d', auditKey: 'x' })).toBeNull()
  })
})

test('a database that was not opened: what to do fits the reason', async () => {
  const away = await openNative({ url: 'postgres://root@127.0.0.1:9/none' })
    .query('select 1')
    .catch((error: unknown) => error)
  expect(judgeNotOpened(away, true).todo).toBe('start it, or mend DATABASE_URL')
  const otherKey = new Error('AUDIT_KEY: the audit log was begun with another key; set that one')
  expect(judgeNotOpened(otherKey, true)).toMatchObject({ is: 'wrong', what: `Database: ${otherKey.message}`, todo: '' })
  expect(judgeNotOpened(otherKey, false).todo).toBe('see the log of the server')
})

test('a folder whose database was moved to PostgreSQL', () => {
  const moved = mkdtempSync(join(tmpdir(), 'doctor-moved-'))
  markMovedAway(moved, 'postgres://kim:bi-mat@10.0.0.1:5432/kim?password=bi-mat&x=1')
  const settings = { databaseUrl: null, dataDir: moved, auditKey: null }
  const { what, todo } = whyNotOpened(settings) ?? { what: '', todo: '' }
  expect([what, todo]).toEqual([expect.stringContaining('moved to postgres://kim@10.0.0.1:5432/kim?'), ''])
  expect(what).not.toContain('bi-mat')
  expect(whyNotOpened({ ...settings, databaseUrl: 'postgres://h/d', auditKey: 'x' })).toBeNull()
  rmSync(moved, { recursive: true })
})

test('a proxy: none is trusted behind an https origin, or the origin is not encrypted', () => {
  expect(judgeProxy('https://kim.example', null)).toMatchObject({
    is: 'wrong',
    todo: 'set it to the address of the proxy',
  })
  expect(judgeProxy('https://kim.example', ['10.0.0.1'])).toMatchObject({ is: 'ok', what: 'Proxy: 10.0.0.1' })
  for (const origin of ['http://127.0.0.1:3000', 'http://kim.localhost', 'http://[::1]:3000', null])
    expect(judgeProxy(origin, null).is).toBe('ok')
  // That no connection is encrypted is said first: behind such an origin a trusted proxy mends nothing.
  for (const trusted of [null, ['127.0.0.1']])
    expect(judgeProxy('http://kim.example', trusted)).toMatchObject({
      ...{ is: 'wrong', why: 'PLAIN_HTTP', todo: 'give npm run setup the name alone: --domain kim.example' },
    })
})

test('files in DATA_DIR: whose they are', async () => {
  expect(await examineOwner(folder)).toMatchObject({ is: 'ok' })
  expect(await examineOwner(join(folder, 'none'))).toMatchObject({ is: 'wrong' })
})

test('Redis: version 7 or newer', () => {
  expect(judgeRedis('6.2.14', 1)).toMatchObject({ is: 'wrong', todo: 'use Redis 7 or newer' })
  expect(judgeRedis('7.0.15', 1)).toMatchObject({ is: 'ok', what: 'Redis: 7.0.15, answers in 1.0 ms' })
  expect(judgeRedis('7.0.15', 60).is).toBe('wrong')
})

test('Redis: its version and how soon it answers; one that hangs or is away', async () => {
  const redis = await startOwnRedis()
  expect(await examineRedis(redis.url, log)).toMatchObject({
    is: 'ok',
    what: expect.stringMatching(/^Redis: \d+\./) as unknown,
  })
  await redis.stop()
  expect(await examineRedis(redis.url, log)).toMatchObject({ is: 'wrong' })
  const silent = await startSilentServer()
  expect(await examineRedis(silent.url, log)).toMatchObject({ is: 'wrong' })
  silent.close()
})

test('WebSocket: a proxy that does not pass it, and nobody there', async () => {
  const proxy = createServer((_request, response) => response.end('hello'))
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  expect(await examineSocket(origin)).toMatchObject({ is: 'wrong', what: `WebSocket: no socket at ${origin}` })
  proxy.closeAllConnections()
  await new Promise((resolve) => proxy.close(resolve))
  expect((await examineSocket(origin)).what).toContain(`no socket at ${origin}: connect ECONNREFUSED 127.0.0.1`)
})
