import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const mainPath = fileURLToPath(new URL('../server/main.ts', import.meta.url))

export interface RunningServer {
  readonly address: string
  readonly pid: number
  /** A folder of this server alone, for files of the run. */
  readonly folder: string
}

/** Runs the product as `npm start` does, in a separate process, until `work` is done. */
export async function withServer<T>(
  env: Record<string, string>,
  work: (server: RunningServer) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'))
  const server = spawn(process.execPath, [...(process.env['BENCH_NODE_ARGS']?.split(' ') ?? []), mainPath], {
    env: { PATH: process.env['PATH'], PORT: '0', GOLD_FEED: 'simulated', LOG_LEVEL: 'warn', DATA_DIR: folder, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(server, 'exit')
  try {
    const address = await addressOf(server.stdout)
    if (server.pid === undefined) throw new Error('The server has no process.')
    return await work({ address, pid: server.pid, folder })
  } finally {
    server.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true })
  }
}

async function addressOf(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const address = /http:\/\/[\d.]+:\d+/.exec(line)?.[0]
    if (address !== undefined) return address
  }
  throw new Error('The server ended before it listened.')
}
