import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addressOf, startProgram } from '#testing/machines/process.ts'

export const DEMO_PASSWORD = 'dung-thu-2026'

export interface DemoServer {
  readonly url: string
  stop(): Promise<void>
}

/** Starts a server with its data in a temporary folder. Port 0 takes any free port. Throws if the start fails. */
export async function startDemoServer(port: string): Promise<DemoServer> {
  const folder = mkdtempSync(join(tmpdir(), 'kim-phien-demo-'))
  const server = startProgram('server/main.ts', {
    isShown: true,
    nodeArgs: [],
    env: {
      ...{ DEVELOPMENT: undefined, COINGECKO_URL: undefined, PORT: port },
      DATA_DIR: folder,
      DEMO_DATA: 'yes',
      GOLD_FEED: 'simulated',
      ADMIN_PASSWORD: DEMO_PASSWORD,
      // All players register from one address, which the usual limits would not allow (rules §4.7).
      RATE_LIMIT_FACTOR: '1000',
      LOG_LEVEL: 'warn',
    },
  })
  const stop = async () => {
    await server.end()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    return { url: await addressOf(server), stop }
  } catch (error) {
    await stop()
    throw error
  }
}
