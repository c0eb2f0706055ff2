import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { inFolder } from './folder.ts'
import { freePorts } from './ports.ts'

/** This version's folder. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

/** A process and what it has written. Only the newest of long output is kept. */
export interface Program {
  readonly child: ChildProcess
  readonly out: () => string
  readonly err: () => string
  /** Standard output and errors, in the order in which they came. */
  readonly said: () => string
  readonly isRunning: () => boolean
  /** Its exit code, once all its output is here; null when a signal ended it. */
  readonly ended: Promise<number | null>
  /** Sends a signal, SIGTERM by default, unless it has ended, and waits for its end. Returns its exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>
}

export interface ProgramOptions {
  readonly args?: readonly string[]
  /**
   * Variables besides `PATH` and those that every test program needs; the program gets nothing else of our own
   * environment.
   */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly nodeArgs?: readonly string[]
  /** Another user and group by their number; root alone can start a program as one. */
  readonly as?: number
  /** The folder of the program: this version's unless another one is given. */
  readonly folder?: string
  /** Whether its standard error is shown on ours as well. */
  readonly isShown?: boolean
}

/** For processes that end soon: optimising the embedded database's code takes a quarter of their time. */
export const SHORT_LIVED = '--liftoff-only'

const KEPT_CHARS = 2 ** 24

/** Starts one of our programs, such as `server/main.ts`, on a free port, and without calls to other machines. */
export function startProgram(
  program: string,
  { args = [], env = {}, nodeArgs = [SHORT_LIVED], as, folder = root, isShown = false }: ProgramOptions = {},
): Program {
  const child = spawn(process.execPath, [...nodeArgs, program, ...args], {
    cwd: folder,
    env: {
      ...{ PATH: process.env['PATH'], TMPDIR: process.env['TMPDIR'] },
      ...{ NODE_COMPILE_CACHE: join(root, '.build/compile-cache'), PORT: '0' },
      // A closed port: the bundled sample of coins is shown.
      ...{ DEVELOPMENT: 'yes', LOG_LEVEL: 'error', COINGECKO_URL: 'http://127.0.0.1:9', ...env },
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(as === undefined ? {} : { uid: as, gid: as }),
  })
  let [out, err, said] = ['', '', '']
  const grown = (text: string, more: string): string => (text + more).slice(-KEPT_CHARS)
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out = grown(out, text)
    said = grown(said, text)
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err = grown(err, text)
    said = grown(said, text)
    if (isShown) process.stderr.write(text)
  })
  const isRunning = () => child.exitCode === null && child.signalCode === null
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return {
    ...{ child, isRunning, ended, out: () => out, err: () => err, said: () => said },
    end(signal) {
      if (isRunning()) child.kill(signal)
      return ended
    },
  }
}

/** Runs a program to its end. */
export async function runProgram(program: string, options?: ProgramOptions) {
  const { ended, out, err, said } = startProgram(program, options)
  return { code: await ended, out: out(), err: err(), said: said().trim() }
}

/** The address that a server prints once it listens. Throws with what it has written when it ends before. */
export async function addressOf(started: Program): Promise<string> {
  for (;;) {
    const address = /^Kim Phiên: (\S+)$/m.exec(started.out())?.[1]
    if (address !== undefined) return address
    if (!started.isRunning()) {
      await started.ended
      throw new Error(`The server ended: ${started.said()}`)
    }
    await sleep(25)
  }
}

/** An answer of a server as it came. */
export interface RawReply {
  readonly status: number
  readonly text: string
  readonly headers: Headers
  /** The `data` of a JSON answer. */
  readonly data: Readonly<Record<string, unknown>>
}

export interface RunningServer {
  readonly address: string
  readonly pid: number
  /** A folder of this server alone. */
  readonly dataDir: string
  /** All that it has written to standard output and standard error so far. */
  output(): string
  /** Calls the API in wire words; a body that is neither text nor a form is sent as JSON. */
  send(
    method: string,
    path: string,
    options?: {
      readonly token?: string | undefined
      readonly body?: unknown
      readonly headers?: Readonly<Record<string, string>>
    },
  ): Promise<RawReply>
  /** Ends it by SIGTERM. Returns its exit code. */
  stop(): Promise<number | null>
}

/**
 * Runs the product as `npm start` does, as a process of its own with simulated prices, until `work` is done.
 * @param options `prepare` is called with the new data folder before the start
 */
export function withServer<T>(
  env: Readonly<Record<string, string>>,
  work: (server: RunningServer) => Promise<T>,
  { prepare, ...options }: ProgramOptions & { readonly prepare?: (dataDir: string) => void } = {},
): Promise<T> {
  return inFolder(async (dataDir) => {
    prepare?.(dataDir)
    const nodeArgs = process.env['BENCH_NODE_ARGS']?.split(' ') ?? []
    const own = { DATA_DIR: dataDir, GOLD_FEED: 'simulated', LOG_LEVEL: 'warn' }
    const program = startProgram('server/main.ts', { isShown: true, nodeArgs, ...options, env: { ...own, ...env } })
    try {
      const address = await addressOf(program)
      const { pid = 0 } = program.child
      const send: RunningServer['send'] = (...call) => sendTo(address, ...call)
      return await work({ address, pid, dataDir, output: program.said, send, stop: () => program.end() })
    } finally {
      await program.end()
    }
  })
}

async function sendTo(
  address: string,
  ...[method, path, { token, body, headers } = {}]: Parameters<RunningServer['send']>
): Promise<RawReply> {
  const sent = typeof body === 'string' || body instanceof FormData ? body : JSON.stringify(body)
  const answer = await fetch(address + path, {
    method,
    ...(sent === undefined ? {} : { body: sent }),
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
  })
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true
  const { data } = (isJson ? JSON.parse(text) : {}) as { data?: Record<string, unknown> | null }
  return { status: answer.status, text, headers: answer.headers, data: data ?? {} }
}

/** The product as `npm start` runs it, at an address that outlives its process. */
export interface OwnServer {
  readonly url: string
  /** Starts the process, with more of an environment if need be. Does not wait. */
  spawn(more?: Readonly<Record<string, string>>): void
  /**
   * Starts it and waits for a 200 of /readyz. Returns how many ms that took. Throws when it ends before, or takes longer than
   * `withinMs`.
   */
  start(more?: Readonly<Record<string, string>>, withinMs?: number): Promise<number>
  /** Waits until the started process listens. */
  listening(): Promise<unknown>
  /** Undefined before the first start. */
  pid(): number | undefined
  isRunning(): boolean
  /** The status that it ended with by itself; null while it runs, or when a signal ended it. */
  exitCode(): number | null
  /** Sends a signal such as SIGSTOP, which suspends it. */
  signal(name: NodeJS.Signals): void
  /** Ends it as a service manager does; nothing happens when it has ended. */
  stop(): Promise<void>
  /** Ends it by SIGKILL, as a crash does; nothing happens when it has ended. */
  kill(): Promise<void>
  /** The end of the last process's output: enough to see why it ended. */
  said(): string
}

const GIVEN_UP_MS = 60_000
const SAID_CHARS = 4_000

/**
 * A server on a free port that can be killed and started again.
 * @param dataDir its data folder, which it leaves where it is
 * @param options `folder` where the program is, when another version of the product is meant
 */
export async function makeOwnServer(
  dataDir: string,
  env: Readonly<Record<string, string | undefined>>,
  options: Pick<ProgramOptions, 'folder' | 'nodeArgs'> = {},
): Promise<OwnServer> {
  const [port = 0] = await freePorts(1)
  const url = `http://127.0.0.1:${port}`
  // The limits on calls are not measured.
  const unlimited = { GOLD_FEED: 'simulated', RATE_LIMIT_FACTOR: '1000' }
  const own = { PORT: String(port), DATA_DIR: dataDir, DEVELOPMENT: undefined, ...unlimited }
  let program: Program | null = null
  const isRunning = () => program?.isRunning() ?? false
  const said = () => program?.said().slice(-SAID_CHARS) ?? ''
  const run = (more: Readonly<Record<string, string>> = {}) =>
    (program = startProgram('server/main.ts', { nodeArgs: [], ...options, env: { ...own, ...env, ...more } }))
  return {
    url,
    spawn: (more) => void run(more),
    async start(more, withinMs = GIVEN_UP_MS) {
      const begunMs = performance.now()
      run(more)
      while (isRunning()) {
        const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(1_000) }).catch(() => null)
        await answer?.arrayBuffer()
        if (answer?.status === 200) return performance.now() - begunMs
        if (performance.now() - begunMs > withinMs)
          throw new Error(`The server is not ready after ${withinMs / 1000} s: ${said()}`)
        await sleep(20)
      }
      await program?.ended
      throw new Error(`The server did not start: ${said()}`)
    },
    listening: async () => program !== null && (await addressOf(program)),
    pid: () => program?.child.pid,
    isRunning,
    exitCode: () => program?.child.exitCode ?? null,
    signal: (name) => void program?.child.kill(name),
    stop: async () => void (await program?.end()),
    kill: async () => void (await program?.end('SIGKILL')),
    said,
  }
}
