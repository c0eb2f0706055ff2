// Gate: a hundred starts of an operator’s commands.
import type { ChildProcess } from 'node:child_process'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { findForeign } from '#server/platform/process/folder-owner.ts'
import { openNative } from '#server/platform/database/native.ts'
import { addressOf, type Program, type ProgramOptions, startProgram } from '#testing/machines/process.ts'
import { lastRelease, unpackRelease } from '#testing/machines/release.ts'
import { layDatabase } from '#testing/database/laid.ts'
import { databaseUrl } from '#testing/database/url.ts'
import { testEngines } from '#testing/database/test-database.ts'

/* Bad days of whoever runs an installation: every program is a process of its own. */

/** Each start of a process takes a second, and many on a busy machine. */
const LONG_MS = 15 * 60_000
/** A user without a name, as a unit with DynamicUser or a container has. */
const SERVICE = 65_123

let folder: string
let dataDir: string
let running: ChildProcess[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'operator-'))
  chmodSync(folder, 0o755)
  dataDir = join(folder, 'data')
  mkdirSync(dataDir, { mode: 0o700 })
  running = []
})
afterEach(() => {
  for (const child of running) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

function start(program: string, options: ProgramOptions = {}): Program {
  const started = startProgram(program, { ...options, env: { DATA_DIR: dataDir, ...options.env } })
  running.push(started.child)
  return started
}
async function run(program: string, args: readonly string[] = [], options: ProgramOptions = {}) {
  const started = start(program, { ...options, args })
  return { code: await started.ended, out: started.out(), err: started.err() }
}
/** The file that `npm run NAME` runs in a version's folder. */
function scriptOf(version: string, name: string): string {
  const { scripts } = JSON.parse(readFileSync(join(version, 'package.json'), 'utf8')) as Record<
    'scripts',
    Record<string, string>
  >
  return /run\.mjs (\S+)/.exec(scripts[name] ?? '')?.[1] ?? name
}
/** Starts the server, waits until it answers, and ends it. Returns what it said. */
async function runServer(options: ProgramOptions = {}, work: (address: string) => Promise<void> = async () => {}) {
  const server = start('server/main.ts', options)
  await work(await addressOf(server))
  server.child.kill('SIGTERM')
  await server.ended
  expect(server.err()).toBe('')
  return server.out()
}

/** Until a server's book has begun, there is nothing that a command could end or verify. */
async function untilBookBegins(address: string): Promise<void> {
  while (!(await fetch(`${address}/log/checkpoint`)).ok) await new Promise((resolve) => setTimeout(resolve, 50))
}

const missing =
  process.getuid?.() !== 0
    ? 'commands of root: only root can run them as root'
    : spawnSync(process.execPath, ['--check', 'server/main.ts'], { uid: SERVICE, gid: SERVICE }).status === 0
      ? null
      : 'commands of root: another user cannot read this folder, so no service could run from it'

describe.skipIf(missing !== null)(missing ?? 'what root does while the service is stopped', () => {
  beforeEach(() => chownSync(dataDir, SERVICE, SERVICE))
  const foreign = () => findForeign(dataDir)

  /** Every file with its size and the times of its contents and its state. */
  function state(of = dataDir): string[] {
    return readdirSync(of, { recursive: true, encoding: 'utf8' })
      .map((name) => {
        const { size, mtimeMs, ctimeMs, uid } = statSync(join(of, name))
        return `${name} ${size} ${mtimeMs} ${ctimeMs} ${uid}`
      })
      .toSorted()
  }

  test(
    'leaves nothing of root’s, and the service starts; a doctor writes nothing at all, and finds what is not the service’s',
    async () => {
      await runServer({ as: SERVICE }, untilBookBegins)
      const before = state()
      const doctor = await run('server/commands/doctor.ts')
      expect(state()).toEqual(before)
      expect(doctor.out).toMatch(/^ok Ledger: \d+ transfers/m)
      expect(doctor.out).toMatch(/^-- Commit: not measured/m)
      expect(doctor.out).toContain(`ok Files: all of DATA_DIR belong to user ${SERVICE}`)

      const backups = join(folder, 'backups')
      mkdirSync(backups)
      chownSync(backups, SERVICE, SERVICE)
      for (const [program, ...args] of [
        ['server/commands/audit-ledger.ts', '--clear'],
        ['server/commands/staff.ts', 'reset-password', 'admin'],
        ['server/commands/log-restart.ts', '--why', 'RESTORED'],
        ['server/commands/backup.ts', '--to', backups],
      ] as const) {
        expect({ program, ...(await run(program, args)) }).toMatchObject({ program, code: 0, err: '' })
        expect([program, foreign()]).toEqual([program, null])
      }
      // The server itself, started by root on somebody else's folder, with settings that root alone may read.
      const ownFile = join(folder, '.env')
      writeFileSync(ownFile, 'BACKUP_EVRY=off\n', { mode: 0o600 })
      expect(await runServer({ env: { LOG_LEVEL: 'warn', OWN_SETTINGS_FILE: ownFile } })).toContain(
        'is it BACKUP_EVERY?',
      )
      expect(foreign()).toBeNull()

      const path = join(dataDir, 'pg/global/pg_control')
      chownSync(path, 0, 0)
      chmodSync(path, 0o600)
      expect((await run('server/commands/doctor.ts')).out).toContain(
        `!! Files: ${path} does not belong to user ${SERVICE} – as root: chown -R ${SERVICE}:${SERVICE} ${dataDir}`,
      )
      const refused = await run('server/main.ts', [], { as: SERVICE })
      expect(refused).toMatchObject({ code: 1, err: expect.stringContaining(path) as string })
      chownSync(path, SERVICE, SERVICE)
      await runServer({ as: SERVICE })

      const [file = ''] = readdirSync(backups)
      const restored = join(folder, 'restored')
      mkdirSync(restored)
      chownSync(restored, SERVICE, SERVICE)
      copyFileSync(join(dataDir, 'backup.key'), join(restored, 'backup.key'))
      chownSync(join(restored, 'backup.key'), SERVICE, SERVICE)
      const env = { DATA_DIR: restored }
      expect(await run('server/commands/restore.ts', ['--from', join(backups, file)], { env })).toMatchObject({
        code: 0,
        err: '',
      })
      expect(findForeign(restored)).toBeNull()
      await runServer({ as: SERVICE, env })
    },
    LONG_MS,
  )

  test(
    'a folder of root’s: the service says whose what is, and by which setting',
    async () => {
      chownSync(dataDir, 0, 0)
      const refused = await run('server/main.ts', [], { as: SERVICE })
      expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/^DATA_DIR: .*\n$/) as string })
      chmodSync(folder, 0o700)
      chownSync(dataDir, SERVICE, SERVICE)
      const hidden = await run('server/commands/doctor.ts')
      expect(hidden).toMatchObject({ code: 2, err: expect.stringContaining('cannot get to it') as string })
    },
    LONG_MS,
  )
})

test('a rehearsal whose failure cannot be noted says why it failed', async () => {
  const env = { DATA_DIR: join(folder, 'nowhere') }
  const failed = await run('server/commands/restore.ts', ['--rehearse', '--from', process.execPath], { env })
  expect(failed).toMatchObject({ code: 1, err: expect.stringContaining('BACKUP_KEY') as string })
})

test(
  'SETTINGS_FILE: every command reads the file that systemd reads, and as systemd does',
  async () => {
    const file = join(folder, 'kim phien.env')
    const other = join(folder, 'a $HOME; # folder')
    writeFileSync(
      file,
      `# Ours\nDATA_DIR=${other}\nADMIN_USERNAME=chu\nADMIN_PASSWORD="a\\"b $x \\\\n"\nTEAM_NAME=Đội 'một' \n`,
    )
    const options = { env: { SETTINGS_FILE: file, TEAM_NAME: 'not this' } }
    mkdirSync(other)
    layDatabase(other)
    await runServer(options, async (address) => {
      const signIn = (password: string) =>
        fetch(`${address}/api/v1/auth/login`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ username: 'chu', password }),
        })
      expect((await signIn('a"b $x \\n')).status).toBe(200)
      const config = (await (await fetch(`${address}/api/v1/public-config`)).json()) as { data: { teamName: string } }
      expect(config.data.teamName).toBe(`Đội 'một'`)
      expect((await run('server/commands/audit-log.ts', [], options)).code).toBe(0)
      // The host's own pages say what its log says. A round that is over while its seed is not opened yet is still pending.
      await untilBookBegins(address)
      const verified = await run('server/commands/verify-book.ts', [address])
      expect([0, 3]).toContain(verified.code)
      expect(verified.out).toContain('ĐÚNG')
      expect(verified.out).not.toContain('LỖI')
    })
    expect(existsSync(join(other, 'audit.key'))).toBe(true)
    expect(readdirSync(dataDir)).toEqual([])
    expect((await run('server/commands/doctor.ts', [], options)).out).toMatch(/^ok Audit log: \d+ rows, whole$/m)
    const none = await run('server/commands/audit-log.ts', [], { env: { SETTINGS_FILE: join(folder, 'none') } })
    expect(none).toMatchObject({ code: 1, err: expect.stringMatching(/^SETTINGS_FILE: ENOENT: .*\n$/) as string })
  },
  LONG_MS,
)

test(
  'the only admin’s lost password: a changed ADMIN_PASSWORD says that it is not used, and a command gives a new one',
  async () => {
    layDatabase(dataDir)
    const env = { ADMIN_PASSWORD: 'lan-dau-tien', LOG_LEVEL: 'warn' }
    expect(await runServer({ env })).not.toContain('ADMIN_PASSWORD')
    const changed = await runServer({ env: { ...env, ADMIN_PASSWORD: 'doi-sau-do' } }, async (address) => {
      const signIn = async (password: string): Promise<[number, boolean]> => {
        const answer = await fetch(`${address}/api/v1/auth/login`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ username: 'admin', password }),
        })
        // A machine that is too busy to answer in time says nothing about the password.
        if (answer.status === 503) return signIn(password)
        return [answer.status, (await answer.text()).includes('"mustChangePassword":true')]
      }
      expect(await signIn('doi-sau-do')).toEqual([401, false])
      expect(await signIn('lan-dau-tien')).toEqual([200, false])
      const { code, out } = await run('server/commands/staff.ts', ['reset-password', 'admin'])
      expect(code).toBe(0)
      const password = /^admin {2}mật khẩu \/ password: (\w{20})$/m.exec(out)?.[1] ?? ''
      expect(await signIn('lan-dau-tien')).toEqual([401, false])
      expect(await signIn(password)).toEqual([200, true])
    })
    expect(changed).toContain('ADMIN_PASSWORD is not used')
    expect(changed).toContain('npm run staff:reset-password')
    // Stopped, on the folder itself.
    expect(await run('server/commands/staff.ts', ['reset-password', 'ADMIN'])).toMatchObject({ code: 0, err: '' })
    expect((await run('server/commands/audit-log.ts')).out).toMatch(/whole: 2 rows/)
    expect((await run('server/commands/staff.ts', ['reset-all', 'admin'])).code).toBe(2)

    writeFileSync(join(folder, 'file'), '')
    const refused = await run('server/commands/backup.ts', [], { env: { BACKUP_DIR: join(folder, 'file', 'b') } })
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('BACKUP_DIR: ') as string })
  },
  LONG_MS,
)

test(
  'a folder that cannot be made names its setting, and so does a path that is too long for a socket',
  async () => {
    writeFileSync(join(folder, 'file'), '')
    const refused = await run('server/main.ts', [], { env: { DATA_DIR: join(folder, 'file', 'data') } })
    expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/^DATA_DIR: ENOTDIR.*\n$/) as string })
    const long = join(folder, 'x'.repeat(120))
    for (const program of ['server/main.ts', 'server/commands/audit-ledger.ts'])
      expect(await run(program, [], { env: { DATA_DIR: long } })).toMatchObject({
        code: 1,
        err: expect.stringMatching(/^DATA_DIR: the path is \d+ bytes too long/) as string,
      })
    expect(existsSync(long)).toBe(false)
  },
  LONG_MS,
)

describe.runIf(testEngines.includes('native'))('with a database on a server (PostgreSQL only)', () => {
  const name = `operator_${randomBytes(6).toString('hex')}`
  const server = () => openNative({ url: inject('nativeTemplate')?.serverUrl ?? '', max: 1 })
  const withServer = async (statement: string) => {
    const db = server()
    await db.query(statement)
    await db.close()
  }
  beforeEach(() => withServer(`create database ${name}`))
  afterEach(() => withServer(`drop database if exists ${name} with (force)`))

  test(
    'a second process without the audit log’s key is refused, and leaves no new one',
    async () => {
      const env = { DATABASE_URL: databaseUrl(inject('nativeTemplate')?.serverUrl ?? '', name) }
      await runServer({ env })
      expect(existsSync(join(dataDir, 'audit.key'))).toBe(true)
      const second = join(folder, 'second')
      mkdirSync(second)
      const refused = await run('server/main.ts', [], { env: { ...env, DATA_DIR: second } })
      expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('has no audit.key') as string })
      expect(readdirSync(second)).toEqual([])
    },
    LONG_MS,
  )
})

const release = lastRelease()

describe.skipIf(release === null)(`back from this version to ${release ?? 'none'} (needs Git’s history)`, () => {
  test(
    'the log of the upgrade names a backup, by which the version before starts again',
    async () => {
      const old = join(folder, 'release')
      unpackRelease(release ?? '', old)
      await runServer({ folder: old }, untilBookBegins)
      const said = await runServer({ env: { LOG_LEVEL: 'warn' } })
      const path = /npm run restore -- --aside --from (\S+\.backup) and npm run log:restart/.exec(said)?.[1] ?? ''
      expect(path).toMatch(/\/backups\/before-\d{4}_\w+\/kim-phien-\w+\.backup$/)
      // A second start finds nothing to do.
      expect(await runServer({ env: { LOG_LEVEL: 'warn' } })).not.toContain('restore')
      const refused = await run('server/main.ts', [], { folder: old })
      expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('start a newer version') as string })

      // As the log says it.
      expect(await run(scriptOf(old, 'restore'), ['--aside', '--from', path], { folder: old })).toMatchObject({
        code: 0,
        err: '',
      })
      expect((await run(scriptOf(old, 'log:restart'), ['--why', 'RESTORED'], { folder: old })).code).toBe(0)
      await runServer({ folder: old })
    },
    LONG_MS,
  )
})
