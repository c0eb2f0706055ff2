import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { openNative } from '#server/platform/database/native.ts'
import { freePorts } from './ports.ts'

/** PostgreSQL's programs are outside the path on Debian; null where there are none. */
const binDir = newestBinDir()
/** Why no server can be started here; null where one can. */
export const noOwnPostgres = binDir === null ? 'PostgreSQL’s programs are not installed' : null

function newestBinDir(): string | null {
  try {
    const versions = readdirSync('/usr/lib/postgresql').map(Number)
    return versions.length === 0 ? null : `/usr/lib/postgresql/${Math.max(...versions)}/bin`
  } catch {
    return null
  }
}

/** The user of PostgreSQL's programs, which refuse to run as root: then it is the one that Debian created for them. */
function owner(): { readonly uid: number; readonly gid: number } | null {
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return process.getuid?.() === 0 ? { uid: id('-u'), gid: id('-g') } : null
}

/** A new folder that PostgreSQL's programs may write, also when root runs the test. */
function ownFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix))
  const as = owner()
  if (as !== null) chownSync(folder, as.uid, as.gid)
  return folder
}

async function run(program: string, ...args: readonly string[]): Promise<void> {
  await promisify(execFile)(join(binDir ?? '', program), args, { cwd: tmpdir(), ...owner() })
}

const initialise = (data: string): Promise<void> =>
  run('initdb', '-D', data, '-U', 'root', '-A', 'trust', '--no-sync', '-E', 'UTF8', '--locale', 'C.UTF-8')

const urlOf = (port: number) => `postgres://root@127.0.0.1:${port}/postgres`
/** For servers whose machine does not lose its power. */
const NO_SYNC = 'fsync=off'
const GIVEN_UP_MS = 30_000
const SAID_CHARS = 20_000

/** A PostgreSQL server that can be killed and started again, with `root` as its superuser. */
export interface OwnPostgres {
  readonly url: string
  /** The folder of its files. */
  readonly folder: string
  /** Starts it with this environment, and waits until it answers. */
  start(env?: Readonly<Record<string, string>>): Promise<void>
  isRunning(): boolean
  /** Ends every process of it at once, as a power cut does. */
  kill(): Promise<void>
  /** The newest lines of its log. */
  said(): string
  /** Ends it in order, and deletes its files. */
  remove(): Promise<void>
}

/** Starts a server on existing files. */
function postgresIn(folder: string, port: number, settings: readonly string[]): OwnPostgres {
  let child: ChildProcess | null = null
  let ended: Promise<unknown> = Promise.resolve()
  let said = ''
  const isRunning = () => child !== null && child.exitCode === null && child.signalCode === null
  const own = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...settings]
  async function answering(): Promise<void> {
    const endMs = performance.now() + GIVEN_UP_MS
    for (;;) {
      const db = openNative({ url: urlOf(port), max: 1 })
      const isUp = await db.query('select 1').then(
        () => true,
        () => false,
      )
      await db.close()
      if (isUp) return
      if (!isRunning() || performance.now() > endMs) throw new Error(`PostgreSQL does not start: ${said.slice(-1_000)}`)
      await sleep(50)
    }
  }
  return {
    url: urlOf(port),
    folder,
    start(env = {}) {
      const args = ['-D', folder, '-p', String(port), ...own.flatMap((setting) => ['-c', setting])]
      const started = spawn(join(binDir ?? '', 'postgres'), args, {
        ...{ cwd: '/', env: { PATH: process.env['PATH'], ...env }, ...owner() },
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      started.stderr.on('data', (bytes) => (said = (said + String(bytes)).slice(-SAID_CHARS)))
      ended = once(started, 'exit')
      child = started
      return answering()
    },
    isRunning,
    async kill() {
      if (child?.pid === undefined || !isRunning()) return
      const { pid } = child
      // The postmaster is halted first, so that it starts no more processes.
      process.kill(pid, 'SIGSTOP')
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      const parts = children.trim().split(' ').filter(Boolean).map(Number)
      for (const part of [...parts, pid]) process.kill(part, 'SIGKILL')
      await ended
      // A part of it that is still there holds its memory, and keeps the next one from starting.
      while (parts.some((part) => existsSync(`/proc/${part}/exe`))) await sleep(10)
    },
    said: () => said,
    async remove() {
      if (isRunning()) child?.kill('SIGINT')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Makes one on a free port, with an empty database and these settings, which is not started. It syncs unless they say otherwise. */
export async function makeOwnPostgres(...settings: readonly string[]): Promise<OwnPostgres> {
  if (noOwnPostgres !== null) throw new Error(`${noOwnPostgres}: apt-get install postgresql`)
  const folder = ownFolder('own-postgres-')
  const [port = 0] = await freePorts(1)
  await initialise(folder)
  return postgresIn(folder, port, settings)
}

/** Starts one that does not sync, with this environment, and `remove`s it after `work`. Takes about 2 s. */
export async function withOwnPostgres<T>(
  { settings = [], env }: { readonly settings?: readonly string[]; readonly env?: Readonly<Record<string, string>> },
  work: (url: string) => Promise<T>,
): Promise<T> {
  const own = await makeOwnPostgres(NO_SYNC, ...settings)
  try {
    await own.start(env)
    return await work(own.url)
  } finally {
    await own.remove()
  }
}

/** A primary and a standby that follows it, each a server of its own, with `root` as their superuser. */
export interface OwnPostgresPair {
  readonly primaryPort: number
  readonly standbyPort: number
  /** Ends the primary as `kill -9` does, and makes the standby the primary. */
  failOver(): Promise<void>
  /** Starts the former primary again, as a standby of the new one. */
  followNewPrimary(): Promise<void>
  stop(): Promise<void>
}

/** Starts both on free ports. Takes about 3 s. */
export async function startOwnPostgresPair(): Promise<OwnPostgresPair> {
  const [primaryPort = 0, standbyPort = 0] = await freePorts(2)
  const [one, two] = [ownFolder('own-postgres-'), ownFolder('own-postgres-')]
  const copyOf = (port: number, data: string) =>
    run('pg_basebackup', '-d', `host=127.0.0.1 port=${port} user=root`, '-D', data, '-R', '-c', 'fast')
  await initialise(one)
  // Everything that the primary acknowledged is then on the standby.
  let first = postgresIn(one, primaryPort, [NO_SYNC, 'synchronous_standby_names=*'])
  await first.start()
  await copyOf(primaryPort, two)
  const second = postgresIn(two, standbyPort, [NO_SYNC])
  await second.start()
  return {
    primaryPort,
    standbyPort,
    async failOver() {
      await first.kill()
      await run('pg_ctl', '-D', two, '-w', 'promote')
    },
    async followNewPrimary() {
      for (const name of readdirSync(one)) rmSync(join(one, name), { recursive: true })
      await copyOf(standbyPort, one)
      first = postgresIn(one, primaryPort, [NO_SYNC])
      await first.start()
    },
    stop: async () => void (await Promise.all([first.remove(), second.remove()])),
  }
}

export const noPgbouncer = existsSync('/usr/sbin/pgbouncer') ? null : 'PgBouncer is not installed'

/** Starts PgBouncer on a free port before the server of `url`; `ignored` are the startup parameters that it drops. */
export async function startPgbouncer(
  url: string,
  mode: 'session' | 'transaction',
  ignored: string,
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const folder = ownFolder('own-pgbouncer-')
  const [port = 0] = await freePorts(1)
  const { hostname, port: behind, username, password, pathname } = new URL(url)
  const secret = password === '' ? '' : ` password=${decodeURIComponent(password)}`
  const file = join(folder, 'pgbouncer.ini')
  const lines = [
    '[databases]',
    `* = host=${hostname} port=${behind} user=${username}${secret}`,
    '[pgbouncer]',
    ...['listen_addr = 127.0.0.1', `listen_port = ${port}`, 'unix_socket_dir =', 'auth_type = any'],
    `pool_mode = ${mode}`,
    ...(ignored === '' ? [] : [`ignore_startup_parameters = ${ignored}`]),
  ]
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o644 })
  const child = spawn('/usr/sbin/pgbouncer', ['-q', file], { stdio: 'ignore', ...owner() })
  const ended = once(child, 'exit')
  for (let isListening = false; !isListening;) {
    const socket = connect(port, '127.0.0.1')
    isListening = await new Promise((resolve) =>
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false)),
    )
    socket.destroy()
    if (child.exitCode !== null) throw new Error('PgBouncer did not start.')
    if (!isListening) await sleep(20)
  }
  return {
    url: `postgres://${username}@127.0.0.1:${port}${pathname}`,
    async stop() {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
