import { createHash, randomBytes } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openAsBlob,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { adjustmentTransfer } from '#domain/ledger/transfers.ts'
import { points } from '#domain/money.ts'
import { loadAuditKey, openAuditLog, recordAct } from '#server/features/audit/index.ts'
import { postTransfers, verifyLedger } from '#server/features/wallet/index.ts'
import { type EmbeddedDatabase, openEmbedded } from '#server/platform/embedded.ts'
import { newId } from '#server/platform/ids.ts'
import { createLog } from '#server/platform/log.ts'
import { createPlayers, type TestPlayer } from '#server/testing/game-world.ts'
import { backupName, keepNewestBackups, listBackups, writeBackupFile } from './backup-file.ts'
import { loadBackupKey } from './backup-key.ts'
import { startBackups } from './backup-schedule.ts'
import { type BackupReport, makeBackup } from './make-backup.ts'
import { restoreBackup, RestoreRefused } from './restore-backup.ts'
import { SealBrokenError } from './sealed-stream.ts'

// A restore syncs a thousand files, which a slow disk takes its time for.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

const secret = randomBytes(32)
let root: string
let dataDir: string
let db: EmbeddedDatabase
let players: TestPlayer[]

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

const act = () =>
  db.tx((tx) =>
    recordAct(tx, {
      actor: 'system',
      act: 'user.update',
      target: `user:${players[0]!.id}`,
      before: null,
      after: null,
      reason: null,
    }),
  )
const pay = () =>
  db.tx((tx) =>
    postTransfers(tx, [adjustmentTransfer(newId(), players[0]!.id, points(1), 'system', 'Điều chỉnh')], Date.now()),
  )
const folderOf = (name: string) => join(root, name)
const made = (report: BackupReport) => {
  if (report.is === 'refused') throw new Error(report.reason)
  return report
}
const backUp = async (folder: string) => made(await makeBackup({ db, dataDir, secret: () => secret }, folder))
const restore = (file: string, name: string, key: Uint8Array = secret) =>
  restoreBackup(file, { dataDir: folderOf(name), secret: key, auditKey: null })
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

  test('that is made during writes and checkpoints holds a moment of it, and all that was written before', async () => {
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
        // A checkpoint frees the log of before, which the backup needs.
        await db.query('checkpoint')
      }
    })()
    const { path } = await backUp(folderOf('busy'))
    isOver = true
    await writing
    expect(written).toBeGreaterThan(2)
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

  test('has nothing of the keys and rows in plain', async () => {
    const { path } = await backUp(folderOf('sealed'))
    const bytes = readFileSync(path)
    for (const text of [
      'the key of the open book',
      readFileSync(join(dataDir, 'audit.key'), 'utf8').trim(),
      players[0]!.username,
    ])
      expect(bytes.includes(text)).toBe(false)
  })

  test('leaves nothing behind when it is ended or cannot be written, and the next one is made', async () => {
    const folder = folderOf('ended')
    const stopped = await makeBackup({ db, dataDir, secret: () => secret, signal: AbortSignal.abort() }, folder)
    expect(stopped).toMatchObject({ is: 'refused', why: 'FAILED' })
    expect(readdirSync(folder)).toEqual([])
    writeFileSync(folderOf('a-file'), '')
    const nowhere = await makeBackup({ db, dataDir, secret: () => secret }, folderOf('a-file'))
    expect(nowhere).toMatchObject({ is: 'refused', why: 'FAILED' })
    await backUp(folder)
    const { rows } = await db.query('select slot_name from pg_replication_slots')
    expect(rows).toEqual([])
  })

  test('is refused while another one is made, and on PostgreSQL', async () => {
    const [first, second] = await Promise.all([
      makeBackup({ db, dataDir, secret: () => secret }, folderOf('two')),
      makeBackup({ db, dataDir, secret: () => secret }, folderOf('two')),
    ])
    expect([first.is, second]).toEqual(['made', expect.objectContaining({ is: 'refused', why: 'BUSY' })])
    const native = { ...db, engine: 'native' } as const
    expect(await makeBackup({ db: native, dataDir, secret: () => secret }, folderOf('two'))).toMatchObject({
      why: 'NATIVE',
    })
  })
})

describe('a restore', () => {
  let path: string
  beforeAll(async () => {
    ;({ path } = await backUp(folderOf('source')))
  })
  /** All files of a folder but those of its lock. */
  const listed = (folder: string) =>
    existsSync(folder)
      ? readdirSync(folder, { recursive: true }).filter((name) => !String(name).startsWith('lock'))
      : []

  test.each(['audit.key', 'pg', 'uploads', 'something else'])('into a folder with %s is refused', async (name) => {
    const target = folderOf(`holds ${name}`)
    mkdirSync(target)
    writeFileSync(join(target, name), 'mine')
    await expect(restore(path, `holds ${name}`)).rejects.toThrow(RestoreRefused)
    expect(listed(target)).toEqual([name])
    expect(readFileSync(join(target, name), 'utf8')).toBe('mine')
  })

  test('leaves a newer log-tip and the key of the backups where they are', async () => {
    const target = folderOf('tip')
    mkdirSync(target)
    for (const name of ['log-tip', 'backup.key']) writeFileSync(join(target, name), 'newer')
    await restore(path, 'tip')
    for (const name of ['log-tip', 'backup.key']) expect(readFileSync(join(target, name), 'utf8')).toBe('newer')
    expect(existsSync(join(target, 'pg', 'PG_VERSION'))).toBe(true)
  })

  test('with another key is refused', async () => {
    await expect(restore(path, 'other-key', randomBytes(32))).rejects.toThrow(SealBrokenError)
    expect(listed(folderOf('other-key'))).toEqual([])
  })

  test('of a file with any flipped byte, or cut or lengthened anywhere, is refused before anything changes', async () => {
    const whole = readFileSync(path)
    const broken = join(root, 'broken.backup')
    const places = [
      0,
      10,
      18,
      19,
      50,
      51,
      52,
      whole.length >> 1,
      whole.length - 17,
      whole.length - 16,
      whole.length - 1,
    ]
    // And one in each of the chunks.
    for (let at = 51; at < whole.length; at += 4 * 262_160) places.push(at + (at % 999))
    for (const at of places.filter((place) => place < whole.length)) {
      const bytes = Buffer.from(whole)
      bytes[at]! ^= 1 << (at % 8)
      writeFileSync(broken, bytes)
      await expect(restore(broken, 'broken')).rejects.toThrow()
      expect(listed(folderOf('broken'))).toEqual([])
    }
    const chunkEnds = [51 + 262_160, 51 + 2 * 262_160]
    for (const length of [0, 5, 51, 60, ...chunkEnds, whole.length - 16, whole.length - 1]) {
      writeFileSync(broken, whole.subarray(0, length))
      await expect(restore(broken, 'broken')).rejects.toThrow()
    }
    writeFileSync(broken, Buffer.concat([whole, Buffer.from([0])]))
    await expect(restore(broken, 'broken')).rejects.toThrow(SealBrokenError)
    // Two chunks exchanged.
    const swapped = Buffer.concat([
      whole.subarray(0, 51),
      whole.subarray(51 + 262_160, 51 + 2 * 262_160),
      whole.subarray(51, 51 + 262_160),
      whole.subarray(51 + 2 * 262_160),
    ])
    writeFileSync(broken, swapped)
    await expect(restore(broken, 'broken')).rejects.toThrow(SealBrokenError)
    expect(listed(folderOf('broken'))).toEqual([])
    copyFileSync(path, broken)
    await restore(broken, 'broken')
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

  test('of books that do not add up, or of a changed audit log, is refused', async () => {
    const target = folderOf('wrong')
    const tampered = async (statement: string, back: string) => {
      const change = (text: string) =>
        db.tx(async (tx) => {
          await tx.query('set local session_replication_role = replica')
          await tx.query(text)
        })
      await change(statement)
      const { path: wrong } = await backUp(folderOf(`wrong-${createHash('md5').update(statement).digest('hex')}`))
      await change(back)
      return wrong
    }
    const owner = `owner_id = '${players[1]!.id}' and kind = 'wallet'`
    const books = await tampered(
      `update ledger_accounts set balance = balance + 1 where ${owner}`,
      `update ledger_accounts set balance = balance - 1 where ${owner}`,
    )
    await expect(restore(books, 'wrong')).rejects.toThrow('The books do not add up')
    const log = await tampered(
      `update audit_log set reason = 'another' where seq = 1`,
      `update audit_log set reason = null where seq = 1`,
    )
    await expect(restore(log, 'wrong')).rejects.toThrow('The audit log is changed at row 1')
    expect(listed(target)).toEqual([])
  })

  test('of a file that is not there', async () => {
    await expect(restore(join(root, 'nowhere'), 'nowhere')).rejects.toThrow(RestoreRefused)
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

  test('makes the next backup when the newest one gets old, and not sooner', async () => {
    const folder = folderOf('scheduled')
    const stop = startBackups({ db, dataDir, secret: () => secret }, { folder, everyMs: 4_000, log })
    await vi.waitFor(async () => expect(await listBackups(folder)).toHaveLength(2), { timeout: 60_000, interval: 50 })
    await stop()
    const [second, first] = await listBackups(folder)
    expect(second!.takenAtMs - first!.takenAtMs).toBeGreaterThanOrEqual(2_000)
    const stopAgain = startBackups({ db, dataDir, secret: () => secret }, { folder, everyMs: 3_600_000, log })
    await stopAgain()
    expect(await listBackups(folder)).toHaveLength(2)
  })

  test('of a server that has just started leaves the next backup the time that the newest one took', async () => {
    const folder = folderOf('slow')
    mkdirSync(folder)
    const begunAtMs = Date.now() - 40_000
    const path = join(folder, backupName(begunAtMs))
    writeFileSync(path, '')
    utimesSync(path, (begunAtMs + 15_000) / 1000, (begunAtMs + 15_000) / 1000)
    const stop = startBackups({ db, dataDir, secret: () => secret }, { folder, everyMs: 60_000, log })
    await vi.waitFor(async () => expect(await listBackups(folder)).toHaveLength(2), { timeout: 15_000, interval: 50 })
    await stop()
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
