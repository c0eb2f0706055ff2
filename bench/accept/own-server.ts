import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePorts } from '#server/testing/own-redis.ts'

const serverPath = (name: string): string => fileURLToPath(new URL(`../../server/${name}`, import.meta.url))
const GIVEN_UP_MS = 60_000
/** What a process said last is enough to tell why it ended. */
const SAID_CHARS = 4_000

/** The product as `npm start` runs it, at an address that outlives its process. */
export interface OwnServer {
  readonly url: string
  /** Ends it as a service manager does. */
  stop(): Promise<void>
  /** Starts the process, with more of an environment if need be. Does not wait. */
  spawn(more?: Record<string, string>): void
  /** Waits for a 200 of /readyz; answers the ms since the start, or null when the process ended before. */
  ready(withinMs?: number): Promise<number | null>
  /** Undefined before the first start. */
  pid(): number | undefined
  isRunning(): boolean
  /** The status that it ended with by itself; null while it runs, or when a signal ended it. */
  exitCode(): number | null
  /** Ends it by SIGKILL, as a crash does; nothing happens when it has ended. */
  kill(): Promise<void>
  /** What the last process wrote on standard error and its log at the end. */
  said(): string
}

export async function makeOwnServer(
  dataDir: string,
  env: Record<string, string>,
  /** The file that starts it, when another version of the product is meant. */
  main: string = serverPath('main.ts'),
): Promise<OwnServer> {
  const [port = 0] = await freePorts(1)
  const url = `http://127.0.0.1:${port}`
  let child: ChildProcess | null = null
  let ended: Promise<unknown> = Promise.resolve()
  let begunMs = 0
  let said = ''
  const isRunning = () => child !== null && child.exitCode === null && child.signalCode === null
  async function end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    if (!isRunning()) return
    child?.kill(signal)
    await ended
  }
  return {
    url,
    spawn(more = {}) {
      begunMs = performance.now()
      said = ''
      const started = spawn(process.execPath, [main], {
        env: {
          ...{ PATH: process.env['PATH'], PORT: String(port), DATA_DIR: dataDir },
          NODE_COMPILE_CACHE: serverPath('../.build/compile-cache'),
          // The limits on calls are not what is measured.
          ...{ GOLD_FEED: 'simulated', LOG_LEVEL: 'error', RATE_LIMIT_FACTOR: '1000' },
          ...env,
          ...more,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      for (const output of [started.stdout, started.stderr])
        output.on('data', (bytes) => (said = (said + String(bytes)).slice(-SAID_CHARS)))
      ended = once(started, 'exit')
      child = started
    },
    async ready(withinMs = GIVEN_UP_MS) {
      while (isRunning()) {
        const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(1_000) }).catch(() => null)
        await answer?.arrayBuffer()
        if (answer?.status === 200) return performance.now() - begunMs
        if (performance.now() - begunMs > withinMs)
          throw new Error(`The server is not ready after ${withinMs / 1000} s: ${said}`)
        await sleep(20)
      }
      return null
    },
    pid: () => child?.pid,
    isRunning,
    exitCode: () => child?.exitCode ?? null,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    said: () => said,
  }
}

/** Runs one of the operator's programs on an installation; answers whether it found nothing, and what it said. */
export async function runOperator(
  program: 'audit-ledger.ts' | 'audit-log.ts' | 'log-restart.ts' | 'restore.ts',
  dataDir: string,
  env: Record<string, string>,
  options: readonly string[] = [],
): Promise<{ readonly isClean: boolean; readonly said: string }> {
  const child = spawn(process.execPath, [serverPath(program), ...options], {
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const output of [child.stdout, child.stderr]) output.on('data', (bytes) => (said += String(bytes)))
  const [code] = (await once(child, 'exit')) as [number | null]
  return { isClean: code === 0, said: said.trim() }
}
