import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openNative } from '#server/platform/native.ts'

/** The clock of programs started with `env`. It runs along with the machine's clock and can be set while they run. */
export interface SettableTime {
  readonly env: Record<string, string>
  /** Sets the difference of their clock from the machine's, in seconds. */
  set(aheadS: number): void
  /** Their clock at a moment of the machine's clock, Unix ms; null within `slackMs` of a step. */
  at(machineMs: number, slackMs?: number): number | null
  remove(): void
}

/**
 * Uses Debian's package libfaketime: its preloaded library answers every reading of the wall clock, but not of the
 * monotonic one.
 */
export function makeSettableTime(): SettableTime {
  const library = ['x86_64-linux-gnu', 'aarch64-linux-gnu']
    .map((machine) => `/usr/lib/${machine}/faketime/libfaketimeMT.so.1`)
    .find((path) => existsSync(path))
  if (library === undefined) throw new Error('libfaketime is missing: the package faketime of Debian brings it')
  const folder = mkdtempSync(join(tmpdir(), 'bench-time-'))
  const file = join(folder, 'time')
  const steps: Array<{ atMs: number; aheadS: number }> = []
  const set = (aheadS: number): void => {
    // The rename is atomic: a reader finds the old file or the new one, never a part of it.
    writeFileSync(`${file}.new`, `${aheadS < 0 ? '-' : '+'}${Math.abs(aheadS)}\n`, { mode: 0o644 })
    renameSync(`${file}.new`, file)
    steps.push({ atMs: Date.now(), aheadS })
  }
  set(0)
  // The database's programs run as another user.
  execFileSync('chmod', ['755', folder])
  return {
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
    },
    set,
    at(machineMs, slackMs = 0) {
      if (steps.slice(1).some((step) => Math.abs(step.atMs - machineMs) <= slackMs)) return null
      return machineMs + (steps.findLast((step) => step.atMs <= machineMs)?.aheadS ?? 0) * 1000
    },
    remove: () => rmSync(folder, { recursive: true }),
  }
}

/** Runs a PostgreSQL server under that clock, with the programs on PATH or in Debian's folders. */
export async function withPostgres<T>(time: SettableTime, work: (url: string) => Promise<T>): Promise<T> {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a)) : []
  const program = (name: string) =>
    versions.map((version) => `${debian}/${version}/bin/${name}`).find((path) => existsSync(path)) ?? name
  // PostgreSQL refuses to run as root; then it runs as the user that Debian created for it.
  const isRoot = process.getuid?.() === 0
  const idOf = (kind: string) => Number(execFileSync('id', [kind, 'postgres'], { encoding: 'utf8' }))
  const as = isRoot ? { uid: idOf('-u'), gid: idOf('-g') } : {}
  const folder = mkdtempSync(join(tmpdir(), 'bench-postgres-'))
  if (isRoot) chownSync(folder, idOf('-u'), idOf('-g'))
  const data = join(folder, 'data')
  const port = await freePort()
  execFileSync(program('initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-N'], {
    ...as,
    cwd: '/',
    stdio: 'ignore',
  })
  const server = spawn(
    program('postgres'),
    [
      ...['-D', data, '-p', String(port), '-k', folder, '-c', 'listen_addresses=127.0.0.1'],
      ...['-c', 'fsync=off', '-c', 'max_connections=100', '-c', 'log_min_messages=fatal'],
    ],
    { ...as, cwd: '/', env: { PATH: process.env['PATH'], ...time.env }, stdio: ['ignore', 'ignore', 'ignore'] },
  )
  const ended = once(server, 'exit')
  try {
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`
    await answering(url)
    return await work(url)
  } finally {
    server.kill('SIGINT')
    await ended
    rmSync(folder, { recursive: true })
  }
}

async function answering(url: string): Promise<void> {
  const deadlineMs = performance.now() + 20_000
  for (;;) {
    const db = openNative({ url, max: 1 })
    try {
      await db.query('select 1')
      return
    } catch (error) {
      if (performance.now() > deadlineMs) throw error
      await sleep(100)
    } finally {
      await db.close()
    }
  }
}

async function freePort(): Promise<number> {
  const probe = createServer()
  probe.listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  probe.close()
  await once(probe, 'close')
  return port
}
