import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const mainPath = fileURLToPath(new URL('../../server/main.ts', import.meta.url))

/** Shown on screen: the whole installation is temporary. */
export const DEMO_PASSWORD = 'dung-thu-2026'

export interface DemoServer {
  readonly url: string
  /** Ends the server and deletes its folder. */
  stop(): Promise<void>
}

/**
 * Starts the product as `npm start` does, on an embedded database in a temporary folder, marked as a demonstration.
 * @param port 0 takes any free port
 * @throws Error when the server exits before it listens; the reason is on standard error
 */
export async function startDemoServer(port: string): Promise<DemoServer> {
  const folder = mkdtempSync(join(tmpdir(), 'kim-phien-demo-'))
  const server = spawn(process.execPath, [mainPath], {
    env: {
      PATH: process.env['PATH'],
      PORT: port,
      DATA_DIR: folder,
      DEMO_DATA: 'yes',
      GOLD_FEED: 'simulated',
      ADMIN_PASSWORD: DEMO_PASSWORD,
      // All players register from one address.
      RATE_LIMIT_FACTOR: '1000',
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(server, 'exit')
  const stop = async () => {
    server.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  for await (const line of createInterface({ input: server.stdout })) {
    const url = /http:\/\/\S+$/.exec(line)?.[0]
    if (url !== undefined) return { url, stop }
  }
  await stop()
  throw new Error('The server ended before it listened.')
}
