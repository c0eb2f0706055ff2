// Gate: whole servers are started and ended.
import { type ChildProcess, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { readSettings, type Settings } from '#server/platform/process/settings.ts'
import { startSilentServer } from '#testing/machines/redis.ts'
import { addressOf, type Program, SHORT_LIVED, startProgram } from '#testing/machines/process.ts'
import { layDatabase } from '#testing/database/laid.ts'
import { askOperator } from '#server/commands/operator-commands.ts'

let dataDir: string
let running: ChildProcess[]

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'main-'))
  running = []
})
afterEach(() => {
  for (const child of running) child.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

function run(
  program: string,
  env: Record<string, string> = {},
  args: string[] = [],
  nodeArgs: string[] = [SHORT_LIVED],
): Program {
  const started = startProgram(program, { args, nodeArgs, env: { DATA_DIR: dataDir, ...env } })
  running.push(started.child)
  return started
}

const backupKey = () => readFileSync(join(dataDir, 'backup.key'), 'utf8').trim()

test('a person gets lines to read, a frame with what is needed next, and a word at the end', async () => {
  const env = {
    LOG_FORMAT: 'pretty',
    LOG_LEVEL: 'info',
    PUBLIC_ORGIN: 'https://kim.example',
    COINGECKO_URL: 'http://127.0.0.1:1',
  }
  const started = run('server/main.ts', env)
  await vi.waitUntil(() => started.out().includes('╯') || !started.isRunning(), 60_000)
  const frame = started
    .out()
    .split('\n')
    .filter((line) => /^[╭│╰]/.test(line))
  const password = /mật khẩu \/ password: (\w{20})$/m.exec(started.out())?.[1] ?? 'none'
  expect(new Set(frame.map((line) => line.length)).size).toBe(1)
  for (const part of ['http://127.0.0.1:', `admin`, password, dataDir, 'Ctrl+C']) expect(frame.join('')).toContain(part)
  expect(started.out()).toContain('PUBLIC_ORGIN is no setting; is it PUBLIC_ORIGIN?')
  // A machine without the internet: one calm line.
  const address = /http:\S+/.exec(frame.join('\n'))?.[0] ?? ''
  await fetch(`${address}/readyz`)
  expect(started.out()).not.toMatch(/^\{|^ {4}at /m)
  expect(await started.end('SIGINT')).toBe(0)
  expect(started.out()).toMatch(/^Stopping: .*\nStopped\.\n$/m)
})

describe('the server as a process', () => {
  test.runIf(existsSync('/proc/self/status'))(
    'needs half of a machine’s gigabyte at most, also while the code of its engine is optimised (needs /proc)',
    async () => {
      layDatabase(dataDir)
      const server = run('server/main.ts', {}, [], [])
      await addressOf(server)
      // The code that a start uses much is optimised in the seconds around it.
      await sleep(3_000)
      const status = readFileSync(`/proc/${server.child.pid}/status`, 'utf8')
      expect(Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1])).toBeLessThan(512 * 1024)
    },
  )

  test('prints the address and, once, the password; answers; ends in order; starts again; drains', async () => {
    const first = run('server/main.ts')
    const address = await addressOf(first)
    const password = /admin {2}mật khẩu \/ password: (\w{20})$/m.exec(first.out())?.[1]
    expect(password).toBeDefined()
    expect(statSync(join(dataDir, 'audit.key')).mode & 0o777).toBe(0o600)
    expect(statSync(join(dataDir, 'control.sock')).mode & 0o777).toBe(0o600)
    const ready = await fetch(`${address}/readyz`)
    expect(await ready.json()).toEqual({
      status: 'ok',
      checks: { database: 'ok', clock: 'ok', feed: 'ok', book: 'ok' },
    })
    const signIn = await fetch(`${address}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password }),
    })
    expect(signIn.status).toBe(200)

    const audit = run('server/commands/audit-ledger.ts')
    expect(await audit.ended).toBe(0)
    expect(audit.out()).toMatch(/^The books add up: \d+ transfers, \d+ accounts\.$/m)

    while (!(await fetch(`${address}/log/checkpoint`)).ok) await new Promise((resolve) => setTimeout(resolve, 50))
    const wrong = run('server/commands/log-restart.ts', {}, ['--why', 'BORED'])
    expect(await wrong.ended).toBe(2)
    const restart = run('server/commands/log-restart.ts', {}, ['--why', 'RESTORED'])
    expect([await restart.ended, restart.err()]).toEqual([0, ''])
    expect(restart.out()).toMatch(/^The log before ended at \d+ entries\. The next one: kim-phien\/[0-9a-f]{8}\/2$/m)
    expect((await fetch(`${address}/log/2/key`)).status).toBe(200)

    // A folder's name may have spaces.
    const backups = join(dataDir, 'my backups')
    const backup = run('server/commands/backup.ts', {}, ['--to', backups])
    expect([await backup.ended, backup.err()]).toEqual([0, ''])
    const file = backup.out().split('\n')[0] ?? ''
    expect(file.startsWith(join(backups, 'kim-phien-'))).toBe(true)
    const refused = run('server/commands/restore.ts', {}, ['--from', file])
    expect(await refused.ended).toBe(1)
    expect(refused.err()).toContain('in use by another process')
    const restore = run(
      'server/commands/restore.ts',
      { DATA_DIR: join(dataDir, 'restored'), BACKUP_KEY: backupKey() },
      ['--from', file],
    )
    expect([await restore.ended, restore.err()]).toEqual([0, ''])
    expect(restore.out()).toMatch(/^The books add up: \d+ transfers/m)
    expect(restore.out()).toContain('npm run log:restart -- --why RESTORED')
    // The restored folder has no log-tip, and its open book is not signed on all the same.
    const atRestored = { DATA_DIR: join(dataDir, 'restored') }
    const bookAt = async (at: string) =>
      ((await (await fetch(`${at}/readyz`)).json()) as { checks: Record<string, string> }).checks['book']
    const restored = run('server/main.ts', atRestored)
    const restoredAddress = await addressOf(restored)
    expect(await bookAt(restoredAddress)).toBe('failed')
    const next = run('server/commands/log-restart.ts', atRestored, ['--why', 'RESTORED'])
    expect([await next.ended, next.err()]).toEqual([0, ''])
    await vi.waitFor(async () => expect(await bookAt(restoredAddress)).toBe('ok'), { timeout: 10_000 })
    restored.child.kill('SIGTERM')
    expect(await restored.ended).toBe(0)

    const metrics = await (await fetch(`${address}/metrics`)).text()
    expect(metrics).toMatch(/^backup_age_seconds \d/m)
    expect(metrics).toMatch(/^backup_age_limit_seconds 86400$/m)
    expect(metrics).toMatch(/^settlement_waiting_seconds \d/m)

    const doctor = run('server/commands/doctor.ts', {}, ['--url', address])
    const code = await doctor.ended
    const lines = doctor.out().split('\n')
    expect(lines).toContain(`ok WebSocket: opens at ${address}`)
    expect(lines).toContainEqual(expect.stringMatching(/^ok Ledger: \d+ transfers/))
    expect(lines).toContainEqual(expect.stringMatching(/^ok Open book: \d+ entries of kim-phien/))
    expect(lines).toContainEqual(expect.stringMatching(/^!! Backups: there is none – set BACKUP_EVERY=15/))
    expect([code, doctor.err()]).toEqual([1, ''])

    first.child.kill('SIGTERM')
    expect(await first.ended).toBe(0)
    expect(first.err()).toBe('')
    expect(() => statSync(join(dataDir, 'control.sock'))).toThrow('ENOENT')

    // Without a running server the books are counted all the same.
    const alone = run('server/commands/audit-ledger.ts', {}, ['--clear'])
    expect(await alone.ended).toBe(0)
    expect(alone.out()).toContain('Money acts are open.')

    const second = run('server/main.ts', { DRAIN_SECONDS: '2' })
    const secondAddress = await addressOf(second)
    expect(second.out()).not.toContain('password')
    // Told to end, it says so at /readyz at once, serves for DRAIN_SECONDS, and ends.
    const begunMs = performance.now()
    second.child.kill('SIGINT')
    const isReady = async () => (await fetch(`${secondAddress}/readyz`)).status
    await expect.poll(isReady, { timeout: 1_500 }).toBe(503)
    while (performance.now() - begunMs < 1_500) {
      expect((await fetch(`${secondAddress}/api/v1/public-config`)).status).toBe(200)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    expect(await second.ended).toBe(0)
    const tookMs = performance.now() - begunMs
    expect(tookMs).toBeGreaterThan(2_000)
    expect(tookMs).toBeLessThan(9_000)
    await expect(fetch(`${secondAddress}/livez`)).rejects.toThrow('fetch failed')
  }, 600_000)

  test('a port that is in use is reported in one line', async () => {
    const other = createServer()
    const port = await new Promise<number>((resolve) => {
      other.listen(0, '127.0.0.1', () => resolve((other.address() as { port: number }).port))
    })
    layDatabase(dataDir)
    const started = run('server/main.ts', { PORT: String(port) })
    expect(await started.ended).toBe(1)
    expect(started.err()).toBe(`PORT: ${port} is taken by another program; stop it or set another one\n`)
    other.close()
  })

  test('a folder that is a file is reported in one line', async () => {
    const file = join(dataDir, 'file')
    writeFileSync(file, '')
    const onFile = run('server/main.ts', { DATA_DIR: file })
    expect(await onFile.ended).toBe(1)
    expect(onFile.err()).toMatch(/^DATA_DIR: ENOTDIR: .*; name a folder instead of a file\n$/)
  })

  test('a full disk is reported in one line (needs the right to mount)', async ({ skip }) => {
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=20m', 'none', dataDir])
    skip(mounted.status !== 0)
    try {
      const started = run('server/main.ts')
      expect(await started.ended).toBe(1)
      expect(started.err()).toBe(
        `The embedded database in ${dataDir} could not be opened: its disk is full; free some room\n`,
      )
    } finally {
      spawnSync('umount', [dataDir])
    }
  })

  test('a Redis that accepts and never answers is reported in one line', async () => {
    layDatabase(dataDir)
    const silent = await startSilentServer()
    const started = run('server/main.ts', { REDIS_URL: silent.url })
    expect(await started.ended).toBe(1)
    expect(started.err()).toBe('REDIS_URL: Redis accepts connections there but does not answer\n')
    silent.close()
  })

  const NO_KEY = () =>
    `Set AUDIT_KEY, or DATA_DIR to the folder of the server: ${dataDir} has no audit.key, and none was made.`
  const NO_DATABASE = () => `${dataDir} has no database: set DATA_DIR to the folder of the server, or DATABASE_URL.`
  const AWAY = { DATABASE_URL: 'postgres://127.0.0.1:1/none' }
  const KEYED = { AUDIT_KEY: 'k'.repeat(32) }

  test.each([
    [AWAY, NO_KEY, 'server/commands/audit-log.ts', []],
    [KEYED, NO_DATABASE, 'server/commands/audit-ledger.ts', ['--clear']],
    [AWAY, NO_KEY, 'server/commands/log-restart.ts', ['--why', 'RESTORED']],
    [KEYED, NO_DATABASE, 'server/commands/staff.ts', ['reset-password', 'somebody']],
  ])('without a key or a database, with %j: one line, and neither is made', async (env, problem, program, args) => {
    const started = run(program, env, args)
    expect([await started.ended, started.err()]).toEqual([1, `${problem()}\n`])
    expect(readdirSync(dataDir)).toEqual([])
  })

  test.each([
    'audit:check',
    'ledger:clear',
    'log:restart RESTORED',
    'staff:reset-factor somebody',
    'staff:grant-owner somebody',
    'staff:reset-password somebody',
  ] as const)('%s without a key or a database makes neither', async (command) => {
    const ask = (env: Record<string, string>) =>
      askOperator(readSettings({ DATA_DIR: dataDir, ...env }) as Settings, command)
    await expect(ask(AWAY)).rejects.toThrow(NO_KEY())
    await expect(ask(KEYED)).rejects.toThrow(NO_DATABASE())
    expect(readdirSync(dataDir)).toEqual([])
  })

  test.each([
    [{ PORT: 'many' }, /^PORT: the value is not allowed; allowed is .*\n$/],
    [{ DATABASE_URL: 'postgres://127.0.0.1:1/none' }, /^DATABASE_URL: connect ECONNREFUSED 127\.0\.0\.1:1\n$/],
  ])('%j: one line, and nothing is started', async (env, line) => {
    const started = run('server/main.ts', env)
    expect(await started.ended).toBe(1)
    expect(started.err()).toMatch(line)
    expect(started.out()).toBe('')
  })
})
