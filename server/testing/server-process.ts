import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** An answer of a server as it came. */
export interface RawReply {
  readonly status: number
  readonly text: string
  readonly headers: Headers
  /** The `data` of a JSON answer. */
  readonly data: Readonly<Record<string, unknown>>
}

export interface ServerProcess {
  readonly address: string
  readonly dataDir: string
  /** All that it has written to standard output and standard error so far. */
  output(): string
  /** Calls the API in wire words; a body that is neither text nor bytes is sent as JSON. */
  send(
    method: string,
    path: string,
    options?: {
      readonly token?: string | undefined
      readonly body?: unknown
      readonly headers?: Readonly<Record<string, string>>
    },
  ): Promise<RawReply>
  /** Ends it by SIGTERM. Answers its exit code. */
  stop(): Promise<number | null>
}

/** The real server as a process of its own, on an empty data folder and a free port, until `work` is done. */
export async function withServerProcess<T>(
  env: Readonly<Record<string, string>>,
  work: (server: ServerProcess) => Promise<T>,
  nodeArgs: readonly string[] = [],
): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'server-process-'))
  const child = spawn(process.execPath, [...nodeArgs, 'server/main.ts'], {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: dataDir,
      PORT: '0',
      GOLD_FEED: 'simulated',
      // A closed port: the bundled sample of coins is shown, and no other machine is called.
      COINGECKO_URL: 'http://127.0.0.1:9',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit') as Promise<[number | null]>
  try {
    return await work(await ready(child, dataDir, exited))
  } finally {
    child.kill('SIGKILL')
    await exited
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function ready(
  child: ChildProcess,
  dataDir: string,
  exited: Promise<readonly [number | null]>,
): Promise<ServerProcess> {
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text))
  let address: string | undefined
  while (address === undefined) {
    if (child.exitCode !== null) throw new Error(`The server ended: ${output}`)
    await sleep(25)
    address = /^Kim Phiên: (\S+)$/m.exec(output)?.[1]
  }
  const url = address
  return {
    address,
    dataDir,
    output: () => output,
    async send(method, path, { token, body, headers } = {}) {
      const sent = typeof body === 'string' || body instanceof FormData ? body : JSON.stringify(body)
      const answer = await fetch(url + path, {
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
    },
    async stop() {
      child.kill('SIGTERM')
      return (await exited)[0]
    },
  }
}
