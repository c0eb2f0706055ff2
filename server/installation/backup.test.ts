// Gate: whole databases are packed and restored.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openAsBlob,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { adjustmentTransfer } from '#domain/ledger/transfers.ts'
import { points } from '#domain/money.ts'
import { acknowledgeRow, loadAuditKey, openAuditLog, recordAct } from '#server/features/audit/index.ts'
import { postTransfers, verifyLedger } from '#server/features/wallet/index.ts'
import { type EmbeddedDatabase, openEmbedded } from '#server/platform/database/embedded.ts'
import { newId } from '#server/platform/process/ids.ts'
import { createLog, type Logger } from '#server/platform/process/log.ts'
import { recordHalf } from '#testing/play/books.ts'
import { createPlayers, type TestPlayer } from '#testing/play/rounds.ts'
import { backupName, dataBytes, keepNewestBackups, listBackups, writeBackupFile } from './backup-file.ts'
import { loadBackupKey } from './backup-key.ts'
import { startBackups } from './backup-schedule.ts'
import { examineBackups } from './doctor.ts'
import { type BackupReport, makeBackup } from './make-backup.ts'
import { noteDisk } from './disk-growth.ts'
import { noteFailedRehearsal, noteRehearsal } from './rehearsal.ts'
import { restoreBackup } from './restore-backup.ts'
import { opening, SealBrokenError } from './sealed-stream.ts'
import { tamperWith } from '#testing/database/tamper.ts'

// Each backup is unpacked and proved, and a restore syncs a thousand files: a busy machine takes its time for both.
vi.setConfig({ testTimeout: 900_000, hookTimeout: 900_000 })

const secret = randomBytes(32)
let root: string
let dataDir: string
let db: EmbeddedDatabase
let players: TestPlayer[]
/** The backup of the first test, and one that is made after a row of the audit log was acknowledged. */
let first: string
let later: string

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'backup-'))
  dataDir = join(root, 'data')
  db = await openEmbedded({ dataDir, durable: false, loadDump: await openAsBlob(inject('embeddedDumpPath')) })
  await openAuditLog(db, loadAuditKey(null, dataDir, true))
  players = await createPlayers(db, 3)
  await act()
  mkdirSync(join(dataDir, 'uploads', 'a'), { recursive: true })
  writeFileSync(join(dataDir, 'uploads', 'a', 'one.png'), randomBytes(300_000))
  writeFileSync(join(dataDir, 'log.key'), 'the key of the open book\n')
  writeFileSync(join(dataDir, 'log-tip'), 'the newest note\n')
})
afterAll(async () => {
  await db.close()
  rmSync(root, { recursive: true })
})

const act = () => db.tx((tx) => recordAct(tx, 'system', 'user.update', `user:${players[0]!.id}`))
const pay = () =>
  db.tx((tx) =>
    postTransfers(tx, [adjustmentTransfer(newId(), players[0]!.id, points(1), 'system', 'Điều chỉnh')], Date.now()),
  )
const folderOf = (name: string) => join(root, name)
const made = (report: BackupReport) => {
  if (report.is === 'refused') throw new Error(report.reason)
  return report
}
const deps = () => ({ db, dataDir, secret: () => secret, auditKey: null })
const backUp = async (folder: string) => made(await makeBackup(deps(), folder))
const restore = (file: string, name: string, key: Uint8Array = secret) =>
  restoreBackup(file, { dataDir: folderOf(name), secret: key, auditKey: null, acknowledge: null })
/** Mounts a disk in memory for one test, or leaves the test out. */
function mountDisk(size: string, skip: (condition: boolean) => void): string {
  const disk = mkdtempSync(join(root, 'disk-'))
  skip(spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'none', disk]).status !== 0)
  onTestFinished(() => void spawnSync('umount', ['-l', disk]))
  return disk
}
/** All files of a folder but those of its lock. */
const listed = (folder: string) =>
  existsSync(folder) ? readdirSync(folder, { recursive: true }).filter((name) => !String(name).startsWith('lock')) : []
/** Every row of every table, by its text. */
const digest = async (of: EmbeddedDatabase) => {
  const { rows: tables } = await of.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'ledger_checkpoint%' order by 1`,
  )
  const lines: string[] = []
  for (const { name } of tables) {
    const { rows } = await of.query<{ of: string | null }>(
      `select md5(string_agg(t::text, ',' order by t::text)) as of from "${name}" t`,
    )
    lines.push(`${name} ${rows[0]?.of}`)
  }
  return lines
}

describe('a backup', () => {
  test('restores every row, image and key, and never the newest tip of the open book', async () => {
    const { path } = await backUp(folderOf('whole'))
    first = path
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readdirSync(folderOf('whole'))).toHaveLength(1)
    const report = await restore(path, 'again')
    const { transfers } = await verifyLedger(db, true)
    expect(report).toMatchObject({ transfers, auditRows: 1n })
    expect(transfers).toBeGreaterThan(2)
    for (const name of ['audit.key', 'log.key', 'uploads/a/one.png'])
      expect(readFileSync(join(folderOf('again'), name))).toEqual(readFileSync(join(dataDir, name)))
    expect(readdirSync(folderOf('again'))).not.toContain('log-tip')
    expect(readdirSync(folderOf('again'))).not.toContain('restoring')
    const restored = await openEmbedded({ dataDir: folderOf('again') })
    expect(await digest(restored)).toEqual(await digest(db))
    await restored.close()
  })

  test('has nothing of the keys and rows in plain', () => {
    const bytes = readFileSync(first)
    for (const text of [
      'the key of the open book',
      readFileSync(join(dataDir, 'audit.key'), 'utf8').trim(),
      players[0]!.username,
    ])
      expect(bytes.includes(text)).toBe(false)
  })

  test('leaves nothing behind when it is ended or cannot be written', async () => {
    const folder = folderOf('busy')
    const stopped = await makeBackup({ ...deps(), signal: AbortSignal.abort() }, folder)
    expect(stopped).toMatchObject({ is: 'refused', why: 'FAILED' })
    expect(readdirSync(folder)).toEqual([])
    writeFileSync(folderOf('a-file'), '')
    expect(await makeBackup(deps(), folderOf('a-file'))).toMatchObject({ is: 'refused', why: 'FAILED' })
  })

  test('is not called unproved while its proof goes on, nor after that was ended', async () => {
    const folder = folderOf('proving')
    const stop = new AbortController()
    const making = makeBackup({ ...deps(), signal: stop.signal }, folder)
    const isCopied = () => expect(readdirSync(folder).some((name) => name.endsWith('.unproved'))).toBe(true)
    await vi.waitFor(isCopied, { timeout: 150_000, interval: 5 })
    // The proof takes no log, which the running database may free meanwhile.
    await vi.waitFor(async () => expect((await db.query('select from pg_replication_slots')).rows).toEqual([]))
    expect(await examineBackups(folder, null)).toMatchObject({ why: 'NONE' })
    stop.abort()
    expect(await making).toMatchObject({ is: 'refused', why: 'FAILED' })
    expect(readdirSync(folder)).toEqual([])
  })

  test('on the disk of the data is not begun without room for it and its proof (needs the right to mount)', async ({
    skip,
  }) => {
    const disk = mountDisk('1g', skip)
    const small = await openEmbedded({ dataDir: disk, loadDump: await openAsBlob(inject('embeddedDumpPath')) })
    onTestFinished(() => small.close())
    const bytes = await dataBytes(disk)
    const { blocks, bfree, bsize } = statfsSync(disk)
    const size = `size=${(blocks - bfree) * bsize + bytes + 135_000_000}`
    expect(spawnSync('mount', ['-o', `remount,${size}`, disk]).status).toBe(0)
    const begin = (folder: string) =>
      makeBackup({ ...deps(), db: small, dataDir: disk, signal: AbortSignal.abort() }, folder)
    const refused = {
      ...{ is: 'refused', why: 'FAILED' },
      reason: expect.stringMatching(/^The disk of \S+ has \S+ GB free, .*: free some room/) as string,
    }
    const [own, before] = [join(disk, 'backups'), join(disk, 'backups', 'before-1')]
    expect([await begin(own), await begin(before)]).toEqual([refused, refused])
    // The newest backup shows how little a copy takes, also to that before migrations, in a folder of its own.
    writeFileSync(join(own, backupName(Date.now())), '')
    expect(await begin(before)).toEqual({ ...refused, reason: 'This operation was aborted' })
  })

  test('is not called unproved where its disk has no room for the proof (needs the right to mount)', async ({
    skip,
  }) => {
    const again = readdirSync(folderOf('again'), { recursive: true }).map((name) =>
      statSync(join(folderOf('again'), String(name))),
    )
    const needed = statSync(first).size + again.reduce((sum, { blocks }) => sum + blocks * 512, 0)
    // Three quarters are unpacked, and the engine writes the rest.
    const disk = mountDisk(`${Math.round((needed * 0.87) / 1024)}k`, skip)
    expect(await makeBackup(deps(), disk)).toMatchObject({
      ...{ is: 'refused', why: 'FAILED' },
      reason: expect.stringMatching(/^There is no room to prove it: .* no space left on device/i) as string,
    })
  })

  test('that is made during writes and checkpoints holds a moment of it, and all that was written before; another one is refused, and the schedule waits', async () => {
    await db.query('create table filler (id bigint primary key, text text)')
    const before = (await verifyLedger(db, true)).transfers
    let isOver = false
    let written = 0
    const writing = (async () => {
      for (; !isOver; written++) {
        await pay()
        await db.query(
          `insert into filler select $1 * 10000 + n, repeat(md5(n::text), 30) from generate_series(1, 500) n`,
          [written],
        )
        // A checkpoint frees the log of before, which the backup needs: also whole files of it.
        if (written < 3) await db.query('select pg_switch_wal()')
        await db.query('checkpoint')
        await sleep(100)
      }
    })()
    const error = vi.fn<() => void>()
    const log = { ...createLog('silent'), error } as unknown as Logger
    const making = backUp(folderOf('busy'))
    const stop = startBackups(deps(), { folder: folderOf('by-schedule'), everyMs: 3_600_000, log })
    const [{ path }, another] = await Promise.all([making, makeBackup(deps(), folderOf('busy'))])
    await stop()
    expect(error).not.toHaveBeenCalled()
    isOver = true
    await writing
    expect(another).toMatchObject({ is: 'refused', why: 'BUSY' })
    expect((await db.query('select slot_name from pg_replication_slots')).rows).toEqual([])
    expect(written).toBeGreaterThan(4)
    const report = await restore(path, 'busy-again')
    expect(report.transfers).toBeGreaterThanOrEqual(before)
    expect(report.transfers).toBeLessThanOrEqual(before + written)
    const restored = await openEmbedded({ dataDir: folderOf('busy-again') })
    const { rows } = await restored.query<{ whole: bigint; parts: bigint }>(
      `select count(*) as whole, count(distinct id / 10000) as parts from filler`,
    )
    expect(rows[0]?.whole).toBe(rows[0]!.parts * 500n)
    await restored.close()
    await db.query('drop table filler')
  })

  test('is refused on PostgreSQL', async () => {
    expect(await makeBackup({ ...deps(), db: { ...db, engine: 'native' } }, folderOf('two'))).toMatchObject({
      why: 'NATIVE',
    })
  })
})

describe('a backup that cannot be restored', () => {
  const logged = vi.fn<(about: unknown, message: string) => void>()
  const log = { ...createLog('silent'), error: logged, info: logged } as unknown as Logger
  const acknowledge = { row: '', why: 'phiên bản cũ ký nửa ký tự', withoutProof: false }
  let folder: string
  let good: string
  let copy: string
  beforeAll(async () => {
    folder = folderOf('half')
    mkdirSync(folder)
    good = join(folder, basename(first))
    copyFileSync(first, good)
    acknowledge.row = String(await recordHalf(db, loadAuditKey(null, dataDir, false), 'vì \ud83d'))
    await act()
  })

  test('is said to be none, with the row, displaces no good one, and the schedule waits before it makes another', async () => {
    const stop = startBackups(deps(), { folder, everyMs: 1_000, log })
    const copies = () => readdirSync(folder).filter((name) => name.endsWith('.unproved'))
    await vi.waitFor(() => expect(logged).toHaveBeenCalledTimes(1), { timeout: 400_000, interval: 50 })
    const [older = ''] = copies()
    const saidAtMs = performance.now()
    await vi.waitFor(() => expect(logged).toHaveBeenCalledTimes(2), { timeout: 400_000, interval: 50 }).finally(stop)
    expect(performance.now() - saidAtMs).toBeGreaterThan(900)
    const about = {
      why: 'UNPROVED',
      reason: expect.stringMatching(
        new RegExp(
          `\\.backup\\.unproved cannot be restored\\. The audit log is broken: row ${acknowledge.row} \\(changed\\)`,
        ),
      ) as string,
    }
    expect(logged.mock.calls).toEqual([
      [about, 'No backup was made'],
      [about, 'No backup was made'],
    ])
    expect((await listBackups(folder)).map(({ path }) => path)).toEqual([good])
    // One copy is kept as evidence, the newest, and nothing of the proof.
    const [kept = ''] = copies()
    expect([older.endsWith('.unproved'), kept > older]).toEqual([true, true])
    expect(readdirSync(folder)).toEqual([basename(good), kept])
    copy = join(folder, kept)
    expect(await examineBackups(folder, null)).toMatchObject({
      is: 'wrong',
      what: expect.stringMatching(/that of \S+ cannot be restored; the newest that can is of/) as string,
    })
  })

  test('is restored where its row is acknowledged, and says so from then on', async () => {
    await expect(restore(copy, 'half-again')).rejects.toThrow(
      `The audit log is broken: row ${acknowledge.row} (changed)`,
    )
    expect(listed(folderOf('half-again'))).toEqual([])
    const options = { dataDir: folderOf('half-again'), secret, auditKey: null }
    await expect(restoreBackup(copy, { ...options, acknowledge: { ...acknowledge, row: '1' } })).rejects.toThrow(
      'Row 1 is none that was changed',
    )
    const { known } = await restoreBackup(copy, { ...options, acknowledge })
    expect(known).toEqual([expect.stringMatching(`^row ${acknowledge.row} is known to be broken: row .* U\\+D83D$`)])
    const restored = await openEmbedded({ dataDir: folderOf('half-again') })
    const { rows } = await restored.query(`select reason from audit_log where act = 'audit.acknowledge'`)
    expect(rows).toEqual([{ reason: acknowledge.why }])
    await restored.close()
  })

  test('is followed by good ones once the row is acknowledged, unless another one is broken', async () => {
    expect(await acknowledgeRow(db, acknowledge)).toMatchObject({ is: 'acknowledged' })
    const change = (reason: string) => tamperWith(db, `update audit_log set reason = ${reason} where seq = 1`)
    await change(`'x'`)
    expect(await makeBackup(deps(), folder)).toMatchObject({
      ...{ is: 'refused', why: 'UNPROVED' },
      reason: expect.stringContaining('broken: row 1 (changed).') as string,
    })
    await change('null')
    const { path } = await backUp(folder)
    expect(readdirSync(folder).map((name) => join(folder, name))).toEqual([good, path])
    expect(await examineBackups(folder, null)).toMatchObject({ is: 'ok' })
    later = path
  })
})

describe('a restore', () => {
  test.each(['audit.key', 'pg', 'uploads', 'something else'])('into a folder with %s is refused', async (name) => {
    const target = folderOf(`holds ${name}`)
    mkdirSync(target)
    writeFileSync(join(target, name), 'mine')
    await expect(restore(later, `holds ${name}`)).rejects.toThrow(`holds data (${name})`)
    expect(listed(target)).toEqual([name])
    expect(readFileSync(join(target, name), 'utf8')).toBe('mine')
  })

  test('into a folder that has notes about the machine alone goes on', async () => {
    const target = folderOf('rehearsed')
    noteRehearsal(target, 1)
    noteFailedRehearsal(target)
    await noteDisk(target, Date.now())
    writeFileSync(join(target, 'newest-version'), '1.0.0')
    expect((await restore(later, 'rehearsed')).away).toBeNull()
    expect(listed(target)).toEqual(expect.arrayContaining(['disk-used', 'pg', 'restore-rehearsed']))
  })

  describe('into a folder with data that it may move aside', () => {
    const isOther = (folder: string) => existsSync(folder) && statSync(folder).dev !== statSync(tmpdir()).dev
    const otherDisk = ['/dev/shm', '/tmp', '/var/tmp'].find(isOther)
    const beforehand = { pg: 'rows', uploads: 'images', 'audit.key': 'key' }
    const dirOf = (name: string) => {
      const target = folderOf(name)
      mkdirSync(target)
      for (const [file, text] of Object.entries(beforehand)) writeFileSync(join(target, file), text)
      return target
    }
    const restoreAside = (target: string) =>
      restoreBackup(first, {
        ...{ dataDir: target, secret, auditKey: null, isMovingAside: true },
        acknowledge: null,
      })
    const textsIn = (folder: string) =>
      Object.fromEntries(Object.keys(beforehand).map((file) => [file, readFileSync(join(folder, file), 'utf8')]))

    test.skipIf(otherDisk === undefined)(
      'moves it, twice, though its backups lie on another disk (needs a second file system)',
      async () => {
        const target = dirOf('moved')
        const elsewhere = mkdtempSync(join(otherDisk ?? '', 'backups-'))
        try {
          symlinkSync(elsewhere, join(target, 'backups'))
          const { away } = await restoreAside(target)
          expect(textsIn(away ?? '')).toEqual(beforehand)
          expect(existsSync(join(target, 'pg', 'PG_VERSION'))).toBe(true)
          const again = await restoreAside(target)
          expect(existsSync(join(again.away ?? '', 'pg', 'PG_VERSION'))).toBe(true)
          expect(textsIn(away ?? '')).toEqual(beforehand)
        } finally {
          rmSync(elsewhere, { recursive: true })
        }
      },
    )

    test('puts all of it back if not everything can be moved', async () => {
      const target = dirOf('put-back')
      const { rename } = promises
      const failing = vi.spyOn(promises, 'rename').mockImplementation(async (from, to) => {
        if (from === join(target, 'restoring', 'pg')) throw new Error('EIO')
        await rename(from, to)
      })
      syncBuiltinESMExports()
      try {
        await expect(restoreAside(target)).rejects.toThrow('EIO')
      } finally {
        failing.mockRestore()
        syncBuiltinESMExports()
      }
      expect(textsIn(target)).toEqual(beforehand)
      expect((await restoreAside(target)).away).not.toBeNull()
    })
  })

  test('with another key is refused', async () => {
    await expect(restore(later, 'other-key', randomBytes(32))).rejects.toThrow(SealBrokenError)
    expect(listed(folderOf('other-key'))).toEqual([])
  })

  test('of a file with any flipped byte, or cut or lengthened anywhere, is refused before anything changes', async () => {
    const whole = readFileSync(later)
    const flipped = (at: number) => {
      const bytes = Buffer.from(whole)
      bytes[at]! ^= 1 << (at % 8)
      return bytes
    }
    const places = [0, 10, 18, 19, 50, 51, 52, whole.length >> 1]
    for (const fromEnd of [17, 16, 1]) places.push(whole.length - fromEnd)
    // And one in each of the chunks.
    for (let at = 51; at < whole.length; at += 4 * 262_160) places.push(at + (at % 999))
    const chunkEnds = [51 + 262_160, 51 + 2 * 262_160] as const
    const cuts = [0, 5, 51, 60, ...chunkEnds, whole.length - 16, whole.length - 1]
    const changed = [
      ...places.filter((place) => place < whole.length).map(flipped),
      ...cuts.map((length) => whole.subarray(0, length)),
      Buffer.concat([whole, Buffer.from([0])]),
      // Two chunks exchanged.
      Buffer.concat([
        whole.subarray(0, 51),
        whole.subarray(chunkEnds[0], chunkEnds[1]),
        whole.subarray(51, chunkEnds[0]),
        whole.subarray(chunkEnds[1]),
      ]),
    ]
    for (const bytes of changed)
      await expect(buffer(Readable.from([bytes]).compose(opening(secret)))).rejects.toThrow(SealBrokenError)

    const target = folderOf('broken')
    mkdirSync(target)
    for (const name of ['log-tip', 'backup.key']) writeFileSync(join(target, name), 'newer')
    const file = join(root, 'broken.backup')
    const few = [flipped(0), flipped(60), whole.subarray(0, chunkEnds[0]), whole.subarray(0, -1)]
    for (const bytes of inject('isFull') ? changed : few) {
      writeFileSync(file, bytes)
      await expect(restore(file, 'broken')).rejects.toThrow(SealBrokenError)
      expect(listed(target)).toEqual(['backup.key', 'log-tip'])
    }
    copyFileSync(later, file)
    expect((await restore(file, 'broken')).known).toHaveLength(1)
    // A newer log-tip and the key of the backups stay where they are.
    for (const name of ['log-tip', 'backup.key']) expect(readFileSync(join(target, name), 'utf8')).toBe('newer')
    expect(existsSync(join(target, 'pg', 'PG_VERSION'))).toBe(true)
  })

  test('of a file that names places outside of its folder is refused', async () => {
    const file = join(root, 'outside.backup')
    await writeBackupFile(file, secret, async (writer) => {
      await writer.addText('../outside', 'x')
      return 0
    })
    await expect(restore(file, 'outside')).rejects.toThrow('outside of its folder')
    expect(existsSync(join(root, 'outside'))).toBe(true)
    expect(listed(folderOf('outside'))).toEqual([])
  })

  test('of books that do not add up is refused', async () => {
    const change = (by: number) =>
      tamperWith(db, [
        `update ledger_accounts set balance = balance + $1 where owner_id = $2 and kind = 'wallet'`,
        [by, players[1]!.id],
      ])
    await change(1)
    const report = await makeBackup(deps(), folderOf('wrong-books'))
    await change(-1)
    expect(report).toMatchObject({ is: 'refused', why: 'UNPROVED' })
    const [copy = '', ...others] = readdirSync(folderOf('wrong-books'))
    expect([copy.endsWith('.unproved'), others]).toEqual([true, []])
    const books = join(folderOf('wrong-books'), copy)
    await expect(restore(books, 'wrong')).rejects.toThrow('The books do not add up')
    expect(listed(folderOf('wrong'))).toEqual([])
  })

  test('of a newer version is refused before anything changes', async () => {
    await db.query(`insert into schema_migration (name, sha256) values ('9999_newer.sql', '')`)
    const report = await makeBackup(deps(), folderOf('newer'))
    await db.query(`delete from schema_migration where name = '9999_newer.sql'`)
    expect(report).toMatchObject({ is: 'refused', why: 'UNPROVED' })
    const [copy = ''] = readdirSync(folderOf('newer'))
    await expect(restore(join(folderOf('newer'), copy), 'newer-again')).rejects.toThrow(
      '9999_newer.sql, which this version does not know',
    )
    expect(listed(folderOf('newer-again'))).toEqual([])
  })

  test('of a file that is not there', async () => {
    await expect(restore(join(root, 'nowhere'), 'nowhere')).rejects.toThrow('There is no file')
  })
})

describe('the key of backups', () => {
  beforeEach(() => rmSync(folderOf('keys'), { recursive: true, force: true }))

  test('is made once, for its owner alone, and a restore never makes one', () => {
    const settings = { backupKey: null, dataDir: folderOf('keys') }
    expect(() => loadBackupKey(settings, false)).toThrow('BACKUP_KEY')
    const key = loadBackupKey(settings, true)
    expect(loadBackupKey(settings, false)).toEqual(key)
    expect(statSync(join(folderOf('keys'), 'backup.key')).mode & 0o777).toBe(0o600)
    const text = Buffer.alloc(32, 7).toString('base64')
    expect(Buffer.from(loadBackupKey({ ...settings, backupKey: text }, false)).toString('base64')).toBe(text)
  })

  test('that is none is refused', () => {
    mkdirSync(folderOf('keys'))
    writeFileSync(join(folderOf('keys'), 'backup.key'), 'short\n')
    expect(() => loadBackupKey({ backupKey: null, dataDir: folderOf('keys') }, true)).toThrow('is not a key of backups')
  })
})

describe('the schedule', () => {
  const log = createLog('silent')

  test('makes the first backup at once, and the next one when the newest one gets old, not sooner', async () => {
    const folder = folderOf('scheduled')
    const stopFirst = startBackups(deps(), { folder, everyMs: 3_600_000, log })
    await vi
      .waitFor(() => expect(readdirSync(folder)).not.toEqual([]), { timeout: 150_000, interval: 20 })
      .finally(stopFirst)
    // One that runs is ended.
    expect(readdirSync(folder)).toEqual([])

    writeFileSync(join(folder, backupName(Date.now())), '')
    const stop = startBackups(deps(), { folder, everyMs: 2_000, log })
    await vi
      .waitFor(async () => expect(await listBackups(folder)).toHaveLength(2), { timeout: 800_000, interval: 50 })
      .finally(stop)
    const [second, begun] = await listBackups(folder)
    expect(second!.takenAtMs - begun!.takenAtMs).toBeGreaterThanOrEqual(1_000)
    await startBackups(deps(), { folder, everyMs: 3_600_000, log })()
    expect(await listBackups(folder)).toHaveLength(2)
  })

  test('after a clock that was ahead makes one backup of now, which is kept', async () => {
    const folder = folderOf('ahead')
    mkdirSync(folder)
    const ahead = Array.from({ length: 14 }, (_, nth) => backupName(Date.now() + 8 * 3_600_000 + nth * 60_000))
    for (const name of ahead) writeFileSync(join(folder, name), '')
    const begunAtMs = Date.now()
    const stop = startBackups(deps(), { folder, everyMs: 3_600_000, log })
    // It is the only one left, and no other one is begun.
    await vi
      .waitFor(() => expect(readdirSync(folder)).toHaveLength(1), { timeout: 150_000, interval: 50 })
      .then(() => sleep(1_000))
      .finally(stop)
    const [made] = await listBackups(folder)
    expect([readdirSync(folder), (made?.takenAtMs ?? 0) >= begunAtMs]).toEqual([[basename(made?.path ?? '')], true])
    expect(made?.takenAtMs).toBeLessThan(Date.now())
  })

  test('of a server that has just started leaves the next backup the time that the newest one took', async () => {
    const folder = folderOf('slow')
    mkdirSync(folder)
    const begunAtMs = Date.now() - 400_000
    const path = join(folder, backupName(begunAtMs))
    writeFileSync(path, '')
    utimesSync(path, (begunAtMs + 150_000) / 1000, (begunAtMs + 150_000) / 1000)
    const stop = startBackups(deps(), { folder, everyMs: 600_000, log })
    // It begins at once, and not when a twentieth of the interval is left.
    await vi
      .waitFor(() => expect(readdirSync(folder)).toHaveLength(2), { timeout: 150_000, interval: 50 })
      .finally(stop)
  })

  test('keeps the newest, and nothing else of the folder is touched', async () => {
    const folder = folderOf('kept')
    mkdirSync(folder)
    const names = [1, 2, 3, 4].map((day) => `kim-phien-2026010${day}T000000000Z.backup`)
    for (const name of [...names, 'mine.backup', 'kim-phien-2026.backup']) writeFileSync(join(folder, name), '')
    await keepNewestBackups(folder, 2)
    expect(readdirSync(folder).toSorted()).toEqual(
      [names[2], names[3], 'kim-phien-2026.backup', 'mine.backup'].toSorted(),
    )
    expect((await listBackups(folder)).map(({ takenAtMs }) => new Date(takenAtMs).toISOString())).toEqual([
      '2026-01-04T00:00:00.000Z',
      '2026-01-03T00:00:00.000Z',
    ])
  })
})
