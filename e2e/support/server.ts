import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inject } from 'vitest'
import { hasMarketEmulator, type MarketEmulator, startMarketEmulator } from '#server/testing/market-emulator.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const clockShift = new URL('clock-shift.mjs', import.meta.url).href

export const adminPassword = 'mat-khau-quan-tri'
export const referralCode = 'KIMPHIEN'
export const supportContact = 'hotro@kimphien.example'

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
  /** The source of gold's prices: the emulator of the live services, or the simulated feed. */
  readonly feed?: 'pyth' | 'simulated'
  readonly clockShiftMs?: number
  /** The server knows that browsers see it as localhost, at its port: passkeys need a name and no address. */
  readonly isOnLocalhost?: boolean
}

export type RunningServer = {
  readonly url: string
  /** The stand-in for the live service; null with the simulated feed. */
  readonly emulator: MarketEmulator | null
  /** Runs `npm run audit:ledger` against this server: its output, and whether the books are correct. */
  auditLedger(): Promise<{ readonly isClean: boolean; readonly output: string }>
  /** Ends the process at once, as a crash does; `comeBack` starts it again on the same data and port. */
  kill(): Promise<void>
  comeBack(): Promise<void>
  /** Sends a signal such as SIGSTOP, which suspends the process. */
  signal(name: NodeJS.Signals): void
  stop(): Promise<void>
}

/** The feed that a journey requests, or the simulated one, with a warning, where there is no emulator. */
export function availableFeed(): 'pyth' | 'simulated' {
  if (hasMarketEmulator) return 'pyth'
  console.info('There is no price emulator beside this repository: the journey is played on the simulated feed.')
  return 'simulated'
}

/** The real server on a free port with an empty database. */
export async function startServer({
  feed = 'simulated',
  clockShiftMs = 0,
  isOnLocalhost = false,
}: ServerSettings = {}): Promise<RunningServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kim-phien-e2e-'))
  await cp(inject('newInstallation'), dataDir, { recursive: true })
  const isShifted = clockShiftMs !== 0
  const shifted = { NODE_OPTIONS: `--import ${clockShift}`, CLOCK_SHIFT_MS: String(clockShiftMs) }
  const key = 'khoa-thu-nghiem'
  const emulator =
    feed === 'pyth' ? await withEnvironment(isShifted ? shifted : {}, () => startMarketEmulator(key)) : null
  const env = {
    ...process.env,
    ...(isShifted && shifted),
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    // As `npm start` does.
    NODE_COMPILE_CACHE: join(root, '.build/compile-cache'),
    DATABASE_URL: undefined,
    REDIS_URL: undefined,
    GOLD_FEED: feed,
    ADMIN_PASSWORD: adminPassword,
    REFERRAL_CODE: referralCode,
    SUPPORT_CONTACT: supportContact,
    RATE_LIMIT_FACTOR: '100',
    LOG_LEVEL: 'warn',
    // No coins are fetched: the bundled sample is shown, and no other machine is called.
    PUBLIC_ORIGIN: '',
    COINGECKO_URL: emulator === null ? 'http://127.0.0.1:9' : emulator.url,
    ...(emulator !== null && { PYTH_URL: emulator.url, PYTH_API_KEY: key }),
  }
  const run = (program: string, port = '0') =>
    spawn(process.execPath, [program], { cwd: root, env: { ...env, PORT: port }, stdio: ['ignore', 'pipe', 'pipe'] })
  const launch = (port?: string) => {
    const child = run('server/main.ts', port)
    const url = collect(child).match(/^Kim Phiên: (\S+)$/m)
    return { child, exited: once(child, 'exit'), url }
  }

  const publicPort = isOnLocalhost ? await freePort() : null
  if (publicPort !== null) env.PUBLIC_ORIGIN = `http://localhost:${publicPort}`
  let running = launch(publicPort?.toString())
  const end = async (signal: NodeJS.Signals) => {
    running.child.kill(signal)
    await running.exited
  }
  const stop = async () => {
    await end('SIGTERM')
    await emulator?.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  try {
    const url = await running.url
    return {
      url,
      emulator,
      kill: () => end('SIGKILL'),
      async comeBack() {
        running = launch(new URL(url).port)
        await running.url
      },
      signal: (name) => void running.child.kill(name),
      async auditLedger() {
        const audit = run('server/audit-ledger.ts')
        const audited = collect(audit)
        const [code] = (await once(audit, 'exit')) as [number | null]
        return { isClean: code === 0, output: audited.text() }
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function freePort(): Promise<number> {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  taken.close()
  await once(taken, 'close')
  return port
}

type Output = { text(): string; match(pattern: RegExp): Promise<string> }

/** Collects a process's output; `match` waits for a line and returns its first group. */
function collect(child: ReturnType<typeof spawn>): Output {
  let text = ''
  const listeners = new Set<() => void>()
  const take = (chunk: Buffer) => {
    text += chunk.toString()
    for (const listener of listeners) listener()
  }
  child.stdout?.on('data', take)
  child.stderr?.on('data', take)
  return {
    text: () => text,
    match: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = pattern.exec(text)?.[1]
          if (found !== undefined) resolve(found)
        }
        listeners.add(look)
        look()
        child.once('exit', () => reject(new Error(`The server ended before it listened:\n${text}`)))
      }),
  }
}

/** The emulator's launcher takes its environment from this process. */
async function withEnvironment<T>(extra: Readonly<Record<string, string>>, work: () => Promise<T>): Promise<T> {
  const before = Object.fromEntries(Object.keys(extra).map((name) => [name, process.env[name]]))
  Object.assign(process.env, extra)
  try {
    return await work()
  } finally {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
}
