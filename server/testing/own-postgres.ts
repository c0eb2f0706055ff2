import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePorts } from './own-redis.ts'

/** A primary and a standby that follows it, each a server of its own, with `root` as their superuser. */
export interface OwnPostgresPair {
  readonly primaryPort: number
  readonly standbyPort: number
  /** Ends the primary as `kill -9` does, and makes the standby the primary. */
  failOver(): Promise<void>
  /** Starts what was the primary again, as a standby of the new one. */
  followNewPrimary(): Promise<void>
  stop(): Promise<void>
}

/** Why none can be started here; null where one can. PostgreSQL's programs are outside the path on Debian. */
const binDir = newestBinDir()
export const noOwnPostgres = binDir === null ? 'PostgreSQL’s programs are not installed' : null

function newestBinDir(): string | null {
  try {
    const versions = readdirSync('/usr/lib/postgresql').map(Number)
    return versions.length === 0 ? null : `/usr/lib/postgresql/${Math.max(...versions)}/bin`
  } catch {
    return null
  }
}

const isRoot = process.getuid?.() === 0

/** Runs one of PostgreSQL's programs, which refuse to run as root. */
async function run(program: string, ...args: readonly string[]): Promise<void> {
  const command = [join(binDir ?? '', program), ...args]
  const [file = '', ...rest] = isRoot ? ['runuser', '-u', 'postgres', '--', ...command] : command
  await promisify(execFile)(file, rest, { cwd: tmpdir() })
}

const OWN_SETTINGS = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off']

const initialise = (data: string): Promise<void> =>
  run('initdb', '-D', data, '-U', 'root', '-A', 'trust', '--no-sync', '-E', 'UTF8', '--locale', 'C.UTF-8')

const start = (data: string, port: number, ...settings: readonly string[]): Promise<void> =>
  run(
    ...(['pg_ctl', '-D', data, '-w', '-l', `${data}.log`] as const),
    ...['-o', [`-p ${port}`, ...OWN_SETTINGS, ...settings].join(' -c '), 'start'],
  )

const kill = (data: string): Promise<void> => run('pg_ctl', '-D', data, '-m', 'immediate', 'stop').catch(() => {})

/**
 * Starts one on a free port, in a folder that `stop` deletes, with an empty database and these settings. Takes about 2 s.
 */
export async function startOwnPostgres(
  ...settings: readonly string[]
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const folder = ownFolder('own-postgres-')
  const data = join(folder, 'data')
  const [port = 0] = await freePorts(1)
  await initialise(data)
  await start(data, port, ...settings)
  return {
    url: `postgres://root@127.0.0.1:${port}/postgres`,
    async stop() {
      await kill(data)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Starts both on free ports, in a folder that `stop` deletes. Takes about 3 s. */
export async function startOwnPostgresPair(): Promise<OwnPostgresPair> {
  const folder = ownFolder('own-postgres-')
  const [primaryPort = 0, standbyPort = 0] = await freePorts(2)
  const [one, two] = [join(folder, 'one'), join(folder, 'two')]
  const copyOf = (port: number, data: string) =>
    run('pg_basebackup', '-d', `host=127.0.0.1 port=${port} user=root`, '-D', data, '-R', '-c', 'fast')
  await initialise(one)
  // What the primary acknowledged is on the standby.
  await start(one, primaryPort, 'synchronous_standby_names=*')
  await copyOf(primaryPort, two)
  await start(two, standbyPort)
  return {
    primaryPort,
    standbyPort,
    async failOver() {
      await kill(one)
      await run('pg_ctl', '-D', two, '-w', 'promote')
    },
    async followNewPrimary() {
      rmSync(one, { recursive: true })
      await copyOf(standbyPort, one)
      await start(one, primaryPort)
    },
    async stop() {
      await Promise.all([kill(one), kill(two)])
      rmSync(folder, { recursive: true, force: true })
    },
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
  const command = ['/usr/sbin/pgbouncer', '-q', file]
  const [program = '', ...rest] = isRoot ? ['runuser', '-u', 'postgres', '--', ...command] : command
  const child = spawn(program, rest, { stdio: 'ignore' })
  const ended = once(child, 'exit')
  for (let isListening = false; !isListening;) {
    const socket = connect(port, '127.0.0.1')
    isListening = await new Promise((resolve) =>
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false)),
    )
    socket.destroy()
    if (child.exitCode !== null) throw new Error('PgBouncer did not start.')
    if (!isListening) await new Promise((resolve) => setTimeout(resolve, 20))
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

/** A new folder that PostgreSQL's programs may write, whoever runs the test. */
function ownFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix))
  if (isRoot) {
    const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
    chownSync(folder, id('-u'), id('-g'))
  }
  return folder
}
