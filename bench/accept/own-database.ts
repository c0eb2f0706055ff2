import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openNative } from '#server/platform/native.ts'
import { freePorts } from '#server/testing/own-redis.ts'

const GIVEN_UP_MS = 30_000
const SAID_CHARS = 20_000

/** A PostgreSQL server that syncs, and that can be killed and started again. */
export interface OwnDatabase {
  readonly url: string
  /** Where its files are. */
  readonly folder: string
  /** Starts it with this environment, and waits until it answers. */
  start(env: Record<string, string>): Promise<void>
  isRunning(): boolean
  /** Ends every process of it at once, as a power cut does. */
  kill(): Promise<void>
  /** The newest lines of its log. */
  said(): string
  remove(): Promise<void>
}

export async function makeOwnDatabase(): Promise<OwnDatabase> {
  const debian = '/usr/lib/postgresql'
  const newest = existsSync(debian) ? Math.max(...readdirSync(debian).map(Number)) : 0
  if (newest === 0) throw new Error('This fault needs programs that are not here: apt-get install postgresql')
  const program = (name: string) => `${debian}/${newest}/bin/${name}`
  // PostgreSQL refuses to run as root; then it runs as the user that Debian created for it.
  const idOf = (kind: string) => Number(execFileSync('id', [kind, 'postgres'], { encoding: 'utf8' }))
  const as = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : null
  const own = mkdtempSync(join(tmpdir(), 'kim-phien-postgres-'))
  if (as !== null) chownSync(own, as.uid, as.gid)
  const folder = join(own, 'data')
  const [port = 0] = await freePorts(1)
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const initdb = ['-D', folder, '-U', 'postgres', '-A', 'trust', '-N', '-E', 'UTF8', '--locale', 'C.UTF-8']
  execFileSync(program('initdb'), initdb, { ...as, cwd: '/', stdio: 'ignore' })
  let child: ChildProcess | null = null
  let ended: Promise<unknown> = Promise.resolve()
  let said = ''
  const isRunning = () => child !== null && child.exitCode === null && child.signalCode === null

  async function kill(): Promise<void> {
    if (child?.pid === undefined || !isRunning()) return
    const { pid } = child
    // Halted first, it starts no more of them.
    process.kill(pid, 'SIGSTOP')
    const parts = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter(Boolean)
      .map(Number)
    for (const part of [...parts, pid]) process.kill(part, 'SIGKILL')
    await ended
    // Whatever is left of it still holds its memory, and keeps the next one from starting.
    while (parts.some((part) => existsSync(`/proc/${part}/exe`))) await sleep(10)
  }

  return {
    url,
    folder,
    async start(env) {
      const started = spawn(
        program('postgres'),
        [
          ...['-D', folder, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
          // Small, so that its files grow and checkpoints come while a fault lasts.
          ...['-c', 'max_connections=100', '-c', 'min_wal_size=32MB', '-c', 'max_wal_size=64MB'],
          ...['-c', 'checkpoint_timeout=30s', '-c', 'shared_buffers=64MB'],
        ],
        { ...as, cwd: '/', env: { PATH: process.env['PATH'], ...env }, stdio: ['ignore', 'ignore', 'pipe'] },
      )
      started.stderr.on('data', (bytes) => (said = (said + String(bytes)).slice(-SAID_CHARS)))
      ended = once(started, 'exit')
      child = started
      const endMs = performance.now() + GIVEN_UP_MS
      for (let isUp = false; !isUp;) {
        const db = openNative({ url, max: 1 })
        isUp = await db.query('select 1').then(
          () => true,
          () => false,
        )
        await db.close()
        if (!isUp && (!isRunning() || performance.now() > endMs))
          throw new Error(`PostgreSQL does not start: ${said.slice(-1_000)}`)
        if (!isUp) await sleep(50)
      }
    },
    isRunning,
    kill,
    said: () => said,
    async remove() {
      await kill()
      rmSync(own, { recursive: true, force: true })
    },
  }
}
