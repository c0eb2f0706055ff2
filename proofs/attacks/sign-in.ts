import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { withServer } from '#testing/machines/process.ts'
import { onDatabase } from '../../bench/scratch.ts'
import type { BarLine } from '../report.ts'
import { registerPlayer, signIn } from './sign-in-client.ts'
import type { FloodOrder } from './sign-in-flood.ts'

const floodPath = fileURLToPath(new URL('./sign-in-flood.ts', import.meta.url))

const PASSWORD = 'matkhau-dung'
const PLAYERS = 15
const RIGHTFUL_BAR_MS = 2_000
const FLOOD = 500
/** By the time that this has passed the flood has used up its allowance and filled the queues. */
const SETTLED_MS = 1_500

const ADDRESSES = 300
const SPREAD_ACCOUNTS = 60
const SPREAD_PASSWORDS = 9
const HOURLY_BAR = 100

const TIMED = 500
const TIMED_BAR_MS = 5

/** The bench sends from many addresses, so the server has to trust it as a proxy. */
const env = { TRUST_PROXY: '127.0.0.1', RATE_LIMIT_FACTOR: '1000', AUDIT_KEY: 'a-key-that-both-processes-are-given' }

interface Player {
  readonly username: string
  readonly accessToken: string | null
  readonly deviceSecret: string | null
}

/** Rules §4: one address cannot block other people's sign-ins, and guessing is limited per account and per address. */
export async function attackSignIn(): Promise<BarLine[]> {
  const lines: BarLine[] = []
  await withServer(env, async ({ address }) => {
    lines.push(...(await underFlood(address, 'embedded')))
  })
  await onDatabase('flood', (url) =>
    withServer({ ...env, DATABASE_URL: url }, async ({ address }) => {
      lines.push(...(await underFlood(address, 'PostgreSQL')))
      lines.push(await timingLine(address))
    }),
  )
  await onDatabase('guess', (url) =>
    withServer({ ...env, DATABASE_URL: url }, (one) =>
      withServer({ ...env, DATABASE_URL: url }, async (other) => {
        lines.push(...(await guesses([one.address, other.address])))
      }),
    ),
  )
  return lines
}

/**
 * After its first start the server aggregates a week of candles in the background; a call for candles waits until that
 * is done.
 */
async function foldCandles(server: string, token: string): Promise<void> {
  const from = new Date(Date.now() - 7 * 86_400_000).toISOString()
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`${server}/api/v1/market/candles?interval=60&from=${from}`, { headers })
  if (!answer.ok) throw new Error(`The candles could not be read: ${answer.status}`)
}

async function registerPlayers(server: string, count: number, prefix: string): Promise<Player[]> {
  const players: Player[] = []
  for (let n = 0; n < count; n++) {
    const username = `${prefix}${n}`
    const { accessToken, deviceSecret } = await registerPlayer(server, {
      username,
      password: PASSWORD,
      from: '192.0.2.1',
    })
    players.push({ username, accessToken, deviceSecret })
  }
  return players
}

/** Sign-ins with the right password during a flood: from another address, and from known devices. */
async function underFlood(server: string, engine: string): Promise<BarLine[]> {
  const players = await registerPlayers(server, PLAYERS, 'rightful')
  await foldCandles(server, players[0]?.accessToken ?? '')
  const fromOne = '198.51.100.7'
  const flooding = `${FLOOD} unknown names in flight all the time from one address (${engine})`
  const lines: BarLine[] = []
  await withFlood({ server, atOnce: FLOOD, from: fromOne }, async () => {
    lines.push(
      await rightfulLine(`${flooding}: ${PLAYERS} sign-ins from another`, players, ({ username }) =>
        signIn(server, { username, password: PASSWORD, from: '203.0.113.9' }),
      ),
      await rightfulLine(`the same: ${PLAYERS} known devices at the flooding address`, players, (player) =>
        signIn(server, {
          username: player.username,
          deviceSecret: player.deviceSecret,
          password: PASSWORD,
          from: fromOne,
        }),
      ),
    )
  })
  await withFlood({ server, atOnce: FLOOD, from: null }, async () => {
    lines.push(
      await rightfulLine(
        `${FLOOD} unknown names in flight all the time, each from an address of its own (${engine}): ${PLAYERS} known devices`,
        players,
        (player) =>
          signIn(server, {
            username: player.username,
            deviceSecret: player.deviceSecret,
            password: PASSWORD,
            from: '203.0.113.9',
          }),
      ),
    )
  })
  return lines
}

async function withFlood(order: FloodOrder, work: () => Promise<void>): Promise<void> {
  const child = spawn(process.execPath, [floodPath, JSON.stringify(order)], { stdio: ['pipe', 'pipe', 'inherit'] })
  const told = text(child.stdout)
  await sleep(SETTLED_MS)
  await work()
  child.stdin.end()
  process.stderr.write(`  the flood was answered ${await told}\n`)
}

async function rightfulLine(
  what: string,
  players: readonly Player[],
  attempt: (player: Player) => ReturnType<typeof signIn>,
): Promise<BarLine> {
  const answers = await Promise.all(players.map(attempt))
  const slowestMs = Math.max(...answers.map(({ ms }) => ms))
  const inTime = answers.filter(({ status, ms }) => status === 200 && ms <= RIGHTFUL_BAR_MS).length
  const opened = answers.filter(({ status }) => status === 200).length
  return {
    what,
    seen: `${opened} of ${players.length} signed in, slowest answer ${(slowestMs / 1000).toFixed(2)} s`,
    bar: `${players.length} of ${players.length} ≤ 2 s`,
    isMet: inTime === players.length,
  }
}

/** Guesses in parallel through two processes on one database: counts how many passwords were compared. */
async function guesses(servers: readonly string[]): Promise<BarLine[]> {
  const serverOf = (n: number) => servers[n % servers.length] ?? ''
  const [first = ''] = servers
  const [target] = await registerPlayers(first, 1, 'target')
  const username = target?.username ?? ''
  const spread = await registerPlayers(first, SPREAD_ACCOUNTS, 'spread')

  // The right password is sent after every allowed attempt is used up.
  const onOne = await Promise.all(
    Array.from({ length: ADDRESSES }, (_, n) =>
      signIn(serverOf(n), {
        username,
        password: n === ADDRESSES - 1 ? PASSWORD : `guess-${n}`,
        from: `10.1.${n >> 8}.${n & 255}`,
      }),
    ),
  )
  const late = await signIn(first, { username, password: PASSWORD, from: '10.2.0.1' })
  const owner = await signIn(first, {
    username,
    password: PASSWORD,
    from: '10.2.0.1',
    deviceSecret: target?.deviceSecret ?? null,
  })

  const pair = await Promise.all(
    Array.from({ length: 60 }, (_, n) =>
      signIn(serverOf(n), { username: 'spread0', password: `guess-${n}`, from: '10.3.0.1' }),
    ),
  )
  const spreadOut = await Promise.all(
    spread.flatMap((player, account) =>
      Array.from({ length: SPREAD_PASSWORDS }, (_, n) =>
        signIn(serverOf(account + n), { username: player.username, password: `guess-${n}`, from: '10.4.0.1' }),
      ),
    ),
  )
  const checked = (answers: readonly { status: number }[]) => answers.filter(({ status }) => status !== 429).length
  return [
    {
      what: `${ADDRESSES} addresses at once on one account, two processes without Redis`,
      seen: `${checked(onOne)} passwords compared; the right one afterwards: ${late.status}`,
      bar: `≤ ${HOURLY_BAR} an hour`,
      isMet: checked(onOne) <= HOURLY_BAR && late.status === 429,
    },
    {
      what: 'the owner on a known device meanwhile',
      seen: `${owner.status} after ${owner.ms.toFixed(0)} ms`,
      bar: '200 at once',
      isMet: owner.status === 200 && owner.ms <= RIGHTFUL_BAR_MS,
    },
    {
      what: 'one address, one account, 60 passwords at once, two processes',
      seen: `${checked(pair)} compared`,
      bar: '≤ 10 in 15 min',
      isMet: checked(pair) <= 10,
    },
    {
      what: `one address, ${SPREAD_ACCOUNTS} accounts × ${SPREAD_PASSWORDS} passwords at once, two processes`,
      seen: `${checked(spreadOut)} compared`,
      bar: `≤ ${HOURLY_BAR} an hour`,
      isMet: checked(spreadOut) <= HOURLY_BAR,
    },
  ]
}

/** Times wrong passwords of known and unknown names, alternately, each from its own address. */
async function timingLine(server: string): Promise<BarLine> {
  const known = await registerPlayers(server, TIMED / 50, 'timed')
  const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] }
  for (let n = 0; n < TIMED; n++)
    for (const kind of n % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)) {
      const username = kind === 'known' ? (known[n % known.length]?.username ?? '') : `absent${n % known.length}`
      const from = `10.${kind === 'known' ? 8 : 9}.${n >> 8}.${n & 255}`
      const { status, ms } = await signIn(server, { username, password: 'guess-guess', from })
      if (status !== 401) throw new Error(`A timed sign-in was answered ${status}`)
      times[kind].push(ms)
    }
  const medianOf = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
  const [knownMs, unknownMs] = [medianOf(times.known), medianOf(times.unknown)]
  const apartMs = Math.abs(knownMs - unknownMs)
  return {
    what: `a wrong password of a known and of an unknown name, ${TIMED} each in turn, medians`,
    seen: `${knownMs.toFixed(2)} and ${unknownMs.toFixed(2)} ms: ${apartMs.toFixed(2)} ms apart`,
    bar: `≤ ${TIMED_BAR_MS} ms apart`,
    isMet: apartMs <= TIMED_BAR_MS,
  }
}
