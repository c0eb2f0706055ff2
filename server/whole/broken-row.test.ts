// Gate: each step is a command of its own.
import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdirSync, mkdtempSync, openAsBlob, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { loadAuditKey, openAuditLog, recordAct } from '#server/features/audit/index.ts'
import { openEmbedded } from '#server/platform/database/embedded.ts'
import { newId } from '#server/platform/process/ids.ts'
import { openNative } from '#server/platform/database/native.ts'
import { recordHalf } from '#testing/play/books.ts'
import { startProgram } from '#testing/machines/process.ts'
import { databaseUrl } from '#testing/database/url.ts'
import { testEngines } from '#testing/database/test-database.ts'

/**
 * An installation whose audit log has a row that an older version signed with half of a character: what the operator
 * sees, and the way through, by the commands themselves.
 */

/** Each command starts a database: a busy machine takes its time. */
const WITHIN_MS = 1_800_000
const why = 'phiên bản cũ ký nửa ký tự'
let root: string
let dataDir: string
let backups: string

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'broken-row-'))
  dataDir = join(root, 'data')
  backups = join(root, 'backups')
  const db = await openEmbedded({ dataDir, durable: false, loadDump: await openAsBlob(inject('embeddedDumpPath')) })
  const key = loadAuditKey(null, dataDir, true)
  await openAuditLog(db, key)
  await db.query('insert into installation (id) select $1 where not exists (select from installation)', [newId()])
  const record = () => db.tx((tx) => recordAct(tx, 'system', 'user.update', 'user:1'))
  await record()
  await recordHalf(db, key, 'vì \ud83d')
  await record()
  await db.close()
}, WITHIN_MS)
afterAll(() => rmSync(root, { recursive: true }))

const run = async (script: string, args: readonly string[] = [], given: Record<string, string> = {}) => {
  const env = { DATA_DIR: dataDir, BACKUP_DIR: backups, ...given }
  const { ended, out, err } = startProgram(`server/commands/${script}.ts`, { args, env })
  return { code: await ended, out: out(), err: err() }
}
const ACKNOWLEDGED = 'row 2 is known to be broken: row 4 acknowledges it, signed with half of a character, U+D83D'

test('the way through', { timeout: WITHIN_MS }, async () => {
  expect(await run('audit-log')).toEqual({
    code: 1,
    out: 'The audit log is broken; 2 rows are right.\nrow 2 (changed)\n',
    err: '',
  })
  expect(await run('backup')).toMatchObject({
    code: 1,
    err: expect.stringMatching(
      /^No backup was made: \S+\.unproved cannot be restored\. The audit log is broken: row 2 \(changed\)/,
    ) as string,
  })
  const [copy = '', ...others] = readdirSync(backups)
  expect([copy.endsWith('.backup.unproved'), others]).toEqual([true, []])

  // A machine that is lost now has this copy alone.
  const target = { DATA_DIR: join(root, 'restored') }
  mkdirSync(target.DATA_DIR)
  copyFileSync(join(dataDir, 'backup.key'), join(target.DATA_DIR, 'backup.key'))
  const from = ['--from', join(backups, copy)]
  expect((await run('restore', from, target)).err).toContain(
    'Nothing was restored: The audit log is broken: row 2 (changed)',
  )
  expect((await run('restore', [...from, '--acknowledge', '2', '--why', why], target)).out).toContain(
    `The audit log is whole: 3 rows; ${ACKNOWLEDGED}.`,
  )

  expect((await run('audit-log', ['--acknowledge', '2'])).err).toContain('--acknowledge NUMBER --why')
  const acknowledged = await run('audit-log', ['--acknowledge', '2', '--why', why])
  expect(acknowledged).toEqual({
    code: 0,
    out: [
      'Row 2 is acknowledged by row 4. It is proved to be what was signed but for half of a character, U+D83D, which no database stores.',
      'The audit log is whole: 3 rows.',
      `${ACKNOWLEDGED}\n`,
    ].join('\n'),
    err: '',
  })
  const made = await run('backup')
  expect(made.err).toBe('')
  expect(readdirSync(backups)).toEqual([expect.stringMatching(/\.backup$/)])
  expect((await run('doctor')).out).toContain(`Audit log: 3 rows, whole; ${ACKNOWLEDGED}`)
})

test.each(testEngines.filter((engine) => engine === 'native'))('and then to %s', { timeout: WITHIN_MS }, async () => {
  const serverUrl = inject('nativeTemplate')?.serverUrl ?? ''
  const server = openNative({ url: serverUrl, max: 1 })
  const name = `broken_row_${randomBytes(6).toString('hex')}`
  await server.query(`create database ${name}`)
  try {
    const moved = await run('move', ['--to', databaseUrl(serverUrl, name)])
    expect([moved.err, moved.out]).toEqual([
      '',
      expect.stringContaining(`The audit log is whole: 3 rows; ${ACKNOWLEDGED}.`),
    ])
    expect((await run('audit-log', [], { DATABASE_URL: databaseUrl(serverUrl, name) })).out).toContain(ACKNOWLEDGED)
  } finally {
    await server.query(`drop database ${name} with (force)`)
    await server.close()
  }
})
