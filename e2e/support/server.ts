import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { inject } from 'vitest'
import { copyDatabase, dropDatabase } from '#testing/database/on-server.ts'
import { databaseUrl } from '#testing/database/url.ts'
import { makeOwnServer, runProgram, SHORT_LIVED } from '#testing/machines/process.ts'
import { type FeedServer, startFeedServer } from '#testing/machines/feed.ts'
import { serverEnv } from './server-env.ts'

const DAY_MS = 86_400_000

/** The shift from the machine's clock to the latest Wednesday noon UTC, when gold trades. */
export const whileGoldTrades = (): number => shiftTo(3)
/** The shift to the latest Saturday noon UTC, when gold is closed. */
export const whileGoldIsShut = (): number => shiftTo(6)

function shiftTo(weekday: number): number {
  const now = new Date()
  const noon = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), 12)
  return noon - ((now.getUTCDay() - weekday + 7) % 7) * DAY_MS - now.getTime()
}

export type ServerSettings = {
  /** The source of gold's prices: a server that speaks as the live services do, or the simulated feed. */
  readonly feed?: 'pyth' | 'simulated'
  readonly clockShiftMs?: number
  /** The embedded database, also where the others use PostgreSQL: this is what one has who starts the product at home. */
  readonly isEmbedded?: boolean
  /** The server knows that browsers see it as localhost, at its port: passkeys need a name and no address. */
  readonly isOnLocalhost?: boolean
}

export type RunningServer = {
  readonly url: string
  readonly dataDir: string
  /** The stand-in for the live service; null with the simulated feed. */
  readonly liveFeed: FeedServer | null
  /** Runs `npm run audit:ledger` against this server: its output, and whether the books are correct. */
  auditLedger(): Promise<{ readonly isClean: boolean; readonly output: string }>
  /** Ends the process at once, as a crash does; `comeBack` starts it again on the same data and port. */
  kill(): Promise<void>
  comeBack(): Promise<void>
  /**
   * Makes every present admin look as if they had been one for a week: a second person has to be one for a day (rules
   * §3.10). Restarts the server.
   */
  ageAdmins(): Promise<void>
  /** Sends a signal such as SIGSTOP, which suspends the process. */
  signal(name: NodeJS.Signals): void
  stop(): Promise<void>
}

/** A copy of an installation, for one server. */
async function copyInstallation({ feed, clockShiftMs = 0, isEmbedded = false }: ServerSettings) {
  const { new: empty, started, native } = inject('installations')
  // PostgreSQL has a clock of its own, which no test can shift. Before a tag the other device has the embedded database.
  const isAsStarted = feed === 'simulated' && clockShiftMs === 0
  const used = isAsStarted && !isEmbedded && !inject('isOnOtherDevice') ? native : null
  const installation = used?.folder ?? (isAsStarted ? started : empty)
  // Lies beside the installation that it copies, and is deleted with that one at the latest, at the end of the run.
  const dataDir = await mkdtemp(join(dirname(installation), 'server-'))
  await cp(installation, dataDir, { recursive: true })
  const remove = () => rm(dataDir, { recursive: true, force: true })
  if (used === null) return { dataDir, database: {}, remove }
  const { serverUrl } = used
  const name = `${used.name}_${randomBytes(4).toString('hex')}`
  await copyDatabase(serverUrl, used.name, name)
  return {
    dataDir,
    database: { DATABASE_URL: databaseUrl(serverUrl, name) },
    remove: () => Promise.all([remove(), dropDatabase(serverUrl, name)]),
  }
}

/** The real server on a free port with an empty database. */
export async function startServer(settings: ServerSettings = {}): Promise<RunningServer> {
  const { feed = 'simulated', clockShiftMs = 0, isOnLocalhost = false } = settings
  const { dataDir, database, remove } = await copyInstallation({ ...settings, feed })
  const key = 'khoa-thu-nghiem'
  const liveFeed = feed === 'pyth' ? await startFeedServer({ key, clockShiftMs }) : null
  const env: Record<string, string> = {
    ...serverEnv(clockShiftMs),
    ...database,
    GOLD_FEED: feed,
    ...(liveFeed !== null && { COINGECKO_URL: liveFeed.url, PYTH_URL: liveFeed.url, PYTH_API_KEY: key }),
  }
  const server = await makeOwnServer(dataDir, env, { nodeArgs: [SHORT_LIVED] })
  // The server reads this setting at each start.
  if (isOnLocalhost) env['PUBLIC_ORIGIN'] = `http://localhost:${new URL(server.url).port}`
  const beside = (program: string) => runProgram(program, { env: { DATA_DIR: dataDir, ...env } })
  const comeBack = async () => {
    server.spawn()
    await server.listening()
  }
  const stop = async () => {
    await server.stop()
    await liveFeed?.stop()
    await remove()
  }
  try {
    await comeBack()
    return {
      url: server.url,
      dataDir,
      liveFeed,
      kill: () => server.kill(),
      comeBack,
      async ageAdmins() {
        await server.stop()
        const { code } = await beside('e2e/support/age-admins.ts')
        if (code !== 0) throw new Error('The admins were not aged')
        await comeBack()
      },
      signal: (name) => server.signal(name),
      async auditLedger() {
        const { code, said } = await beside('server/commands/audit-ledger.ts')
        return { isClean: code === 0, output: said }
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
