import { setTimeout as sleep } from 'node:timers/promises'
import { io, type Socket } from 'socket.io-client'
import { ROUND_TYPES } from '#domain/game/calendar.ts'
import { type RunningServer, runProgram, withServer } from '#testing/machines/process.ts'
import { makeSettableTime, type SettableTime } from '#testing/machines/clock.ts'
import { withOwnPostgres } from '#testing/machines/postgres.ts'
import type { BarLine } from '../report.ts'

/** The clock is set back by each step and forward again, then forward by it and back. */
const STEPS_S = [1, 3, 60, 3_600, 86_400]
/** How long prices are read after each step. */
const LOOK_MS = 1_800
const BETTORS_A_STEP = 6
const REFERRAL_CODE = 'KIMPHIEN'

interface Player {
  readonly id: string
  readonly username: string
  readonly token: string
}

interface Seen {
  tried: number
  readonly accepted: Array<{ betId: string; player: Player; entrySecond: number; sentAtMs: number }>
  /** Descriptions of everything that was visible before its second. */
  readonly early: string[]
  readAnswers: number
}

/**
 * Sets the database's wall clock back and forth while players bet through every process and read every answer that
 * shows prices. A bet counts as a fault when a price of its entry second, or a later one, was visible before it was
 * sent.
 */
export async function runClockSteps(): Promise<BarLine[]> {
  const found = await Promise.allSettled([
    underSteps('embedded', (time, work) => withServer({ ...SETTINGS, ...time.env }, (server) => work([server], {}))),
    underSteps('PostgreSQL', (time, work) =>
      withOwnPostgres(time, (url) =>
        withServer({ ...SETTINGS, DATABASE_URL: url }, (one) =>
          withServer({ ...SETTINGS, DATABASE_URL: url }, (other) => work([one, other], { DATABASE_URL: url })),
        ),
      ),
    ),
  ])
  return found.flatMap((one) => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  })
}

const SETTINGS = {
  RATE_LIMIT_FACTOR: '1000',
  REFERRAL_CODE,
  // Both processes sign the same audit log.
  AUDIT_KEY: 'ab'.repeat(32),
  COINGECKO_URL: 'http://127.0.0.1:9',
  LOG_LEVEL: 'error',
}

type Run = (
  time: SettableTime,
  work: (servers: readonly RunningServer[], env: Record<string, string>) => Promise<BarLine[]>,
) => Promise<BarLine[]>

async function underSteps(engine: string, run: Run): Promise<BarLine[]> {
  const time = makeSettableTime()
  try {
    return await run(time, async (servers, env) => {
      const addresses = servers.map(({ address }) => address)
      const seen: Seen = { tried: 0, accepted: [], early: [], readAnswers: 0 }
      const watcher = await newPlayer(addresses[0]!)
      const prices = await watchPrices(addresses, watcher, time, seen)
      const reading = readForEver(addresses, watcher, time, seen, prices)
      try {
        await sleep(1_500)
        // The clock starts ahead of the machine, so that no step goes back before the days that have prices.
        let baseS = 0
        const hanging = new Set<string>()
        for (const stepS of STEPS_S) {
          for (const aheadS of [baseS - stepS, baseS, baseS + stepS, baseS]) {
            const bettors = await Promise.all(Array.from({ length: BETTORS_A_STEP }, () => newPlayer(addresses[0]!)))
            time.set(aheadS)
            await bet(addresses, bettors, LOOK_MS, seen)
          }
          for (const betId of await hangingBets(addresses[0]!, seen, time)) hanging.add(betId)
          // Moves on to seconds for which no tick is stored yet.
          baseS += stepS + 10
          time.set(baseS)
          await sleep(2_000)
        }
        const audited = await runProgram('server/commands/audit-ledger.ts', {
          env: { ...SETTINGS, ...env, DATA_DIR: servers[0]!.dataDir },
        })
        const known = seen.accepted.filter(({ entrySecond, sentAtMs }) => prices.isKnown(entrySecond, sentAtMs))
        return report(engine, seen, known.length, hanging.size, audited.code === 0)
      } finally {
        reading.stop()
        await reading.ended
        prices.close()
      }
    })
  } finally {
    time.remove()
  }
}

function report(engine: string, seen: Seen, known: number, hanging: number, isClean: boolean): BarLine[] {
  const what = `${engine}, clock set by ±1 s to ±1 day`
  for (const early of new Set(seen.early)) process.stderr.write(`${engine}: ${early}\n`)
  return [
    {
      what: `${what}: bets whose price is public`,
      seen: `${known} of ${seen.accepted.length} accepted, ${seen.tried} tried`,
      bar: '0, some accepted',
      isMet: known === 0 && seen.accepted.length > 0,
    },
    {
      what: `${what}: prices read before their second`,
      seen: `${seen.early.length} in ${seen.readAnswers} answers and ticks`,
      bar: '0',
      isMet: seen.early.length === 0 && seen.readAnswers > 0,
    },
    { what: `${what}: bets that hang`, seen: String(hanging), bar: '0', isMet: hanging === 0 },
    { what: `${what}: the books`, seen: isClean ? 'right' : 'WRONG', bar: 'right', isMet: isClean },
  ]
}

async function ask(address: string, path: string, player: Player | null, body?: unknown): Promise<Answer> {
  const response = await fetch(`${address}/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(player !== null && { authorization: `Bearer ${player.token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  })
  return { status: response.status, data: ((await response.json()) as { data?: unknown }).data }
}

interface Answer {
  readonly status: number
  readonly data: unknown
}

type Fields = Readonly<Record<string, unknown>>

let players = 0

async function newPlayer(address: string): Promise<Player> {
  const username = `dongho${process.pid}x${players++}`
  const password = 'bi-mat-123'
  const answer = await ask(address, '/auth/register', null, {
    username,
    password,
    rePassword: password,
    code: REFERRAL_CODE,
  })
  const token = (answer.data as Fields | undefined)?.['access_token']
  if (typeof token !== 'string') throw new Error(`A player could not register: ${answer.status}`)
  const player = { id: '', username, token }
  const me = await ask(address, '/user/me', player)
  return { ...player, id: String((me.data as Fields)['_id']) }
}

/** Places bets through every process, as fast as a page could, on the round that the process shows. */
async function bet(addresses: readonly string[], bettors: readonly Player[], forMs: number, seen: Seen): Promise<void> {
  const untilMs = performance.now() + forMs
  await Promise.all(
    bettors.map(async (player, nth) => {
      for (let turn = nth; performance.now() < untilMs; turn++) {
        const address = addresses[turn % addresses.length]!
        const current = await ask(address, `/game/current?type=${ROUND_TYPES[turn % ROUND_TYPES.length]}`, player)
        const roundId = (current.data as Fields | null)?.['_id']
        if (roundId === undefined) {
          await sleep(20)
          continue
        }
        const sentAtMs = Date.now()
        seen.tried++
        const answer = await ask(address, '/history', player, { gameId: roundId, score: 10, value: 'UP' })
        if (answer.status >= 300) {
          await sleep(20)
          continue
        }
        const { _id, entryFrom } = answer.data as { _id: string; entryFrom: string }
        seen.accepted.push({ betId: _id, player, entrySecond: Date.parse(entryFrom) / 1000, sentAtMs })
        return
      }
    }),
  )
}

interface Prices {
  /** Whether a price of this second or a later one had been seen at this moment of the machine's clock. */
  isKnown(second: number, atMs: number): boolean
  /** Whether this price belongs only to seconds after this moment of the servers' clock. */
  isAhead(price: number, serverMs: number): boolean
  close(): void
}

async function watchPrices(
  addresses: readonly string[],
  watcher: Player,
  time: SettableTime,
  seen: Seen,
): Promise<Prices> {
  const ticks: Array<{ second: number; price: number; atMs: number }> = []
  const sockets = await Promise.all(
    addresses.map(async (address): Promise<Socket> => {
      const socket = io(address, {
        transports: ['websocket'],
        auth: { token: watcher.token, userId: watcher.id, username: watcher.username },
      })
      await new Promise((resolve) => socket.once('connect', () => resolve(null)))
      await socket.emitWithAck('watch_game', { type: '30s' })
      socket.on('price_tick', ({ second, price }: { second: number; price: number }) => {
        const atMs = Date.now()
        ticks.push({ second, price, atMs })
        seen.readAnswers++
        const serverMs = time.at(atMs, 100)
        if (serverMs !== null && second * 1000 > serverMs + 5) seen.early.push('a tick of the socket')
      })
      return socket
    }),
  )
  return {
    isKnown: (second, atMs) => ticks.some((tick) => tick.second >= second && tick.atMs < atMs),
    isAhead(price, serverMs) {
      const seconds = ticks.filter((tick) => tick.price === price).map(({ second }) => second * 1000)
      return seconds.length > 0 && seconds.every((secondMs) => secondMs > serverMs)
    },
    close: () => {
      for (const socket of sockets) socket.disconnect()
    },
  }
}

/**
 * Reads every answer that shows prices, at each process in turn, and checks it against the servers' time on arrival.
 */
function readForEver(
  addresses: readonly string[],
  watcher: Player,
  time: SettableTime,
  seen: Seen,
  prices: Prices,
): { stop(): void; readonly ended: Promise<void> } {
  let isStopped = false
  const read = async (address: string, path: string, player: Player, judge: Judge): Promise<void> => {
    const sentAtMs = Date.now()
    const { status, data } = await ask(address, path, player)
    const gotAtMs = Date.now()
    if (status !== 200 || data === null) return
    seen.readAnswers++
    // When the clock was stepped during the call, the servers' time on arrival is unknown.
    const nowMs = time.at(gotAtMs, gotAtMs - sentAtMs + 20)
    if (nowMs === null) return
    for (const early of judge(data as never, nowMs, prices))
      seen.early.push(`${path.replace(/\?.*|[0-9a-f-]{36}/g, '')}: ${early}`)
  }
  const ended = (async () => {
    for (let turn = 0; !isStopped; turn++) {
      const address = addresses[turn % addresses.length]!
      const last = seen.accepted.at(-1 - (turn % 8))
      await Promise.all([
        ...READINGS.map(([path, judge]) => read(address, path, watcher, judge)),
        ...(last === undefined
          ? []
          : [
              read(address, '/history/user?limit=5', last.player, judgeBets),
              read(address, `/history/${last.betId}/ticks`, last.player, judgeTicks),
            ]),
      ])
      await sleep(60)
    }
  })()
  return { stop: () => (isStopped = true), ended }
}

/** Describes everything in an answer that could not be known yet at this moment of the servers' time. */
type Judge = (data: never, nowMs: number, prices: Prices) => string[]

const isLater = (instant: unknown, nowMs: number): boolean => typeof instant === 'string' && Date.parse(instant) > nowMs

const judgeRound = (round: Fields, nowMs: number): string[] => [
  ...(round['n1'] !== null && isLater(round['startTime'], nowMs) ? ['the opening price'] : []),
  ...(round['n2'] !== null && isLater(round['endTime'], nowMs) ? ['the closing price'] : []),
  ...(round['result'] !== null && isLater(round['endTime'], nowMs) ? ['the result'] : []),
  // Moves of the clock up to 250 ms are tolerated: rounds are found by their window.
  ...(isLater(round['startTime'], nowMs + 250) ? ['a round to come'] : []),
]
const judgeBets: Judge = (bets: readonly Fields[], nowMs) =>
  bets.flatMap((bet) => [
    ...(isLater(bet['entryAt'], nowMs) ? ['an entry'] : []),
    ...(bet['exitPrice'] !== null && isLater(bet['endTime'], nowMs) ? ['an exit'] : []),
  ])
const judgeTicks: Judge = ({ ticks }: { ticks: ReadonlyArray<{ second: number }> }, nowMs) =>
  ticks.some(({ second }) => second * 1000 > nowMs) ? ['a tick of a bet'] : []
const judgeCandles: Judge = ({ candles }: { candles: readonly Fields[] }, nowMs, prices) => {
  const last = candles.at(-1)
  if (last === undefined) return []
  if (isLater(last['openedAt'], nowMs)) return ['a candle to come']
  return ['high', 'low', 'close'].some((name) => prices.isAhead(Number(last[name]), nowMs)) ? ['a price to come'] : []
}
const judgeCurrent: Judge = (round: Fields, nowMs) => [
  ...judgeRound(round, nowMs),
  ...(isLater((round['feed'] as Fields)['lastQuoteAt'], nowMs) ? ['the last price'] : []),
]

const READINGS: ReadonlyArray<readonly [path: string, judge: Judge]> = [
  ['/game/current?type=30s', judgeCurrent],
  ['/game/current?type=120s', judgeCurrent],
  ['/game/list-all?limit=8', (rounds: readonly Fields[], nowMs) => rounds.flatMap((round) => judgeRound(round, nowMs))],
  ['/market', ({ gold }: { gold: Fields }, nowMs) => (isLater(gold['quoteAt'], nowMs) ? ['the price of gold'] : [])],
  ['/market/candles?interval=1&limit=3', judgeCandles],
  ['/market/candles?interval=60&limit=3', judgeCandles],
  [
    '/market/seeds?limit=20',
    (days: readonly Fields[], nowMs) =>
      days.some(
        ({ day, seed, isPublicHistory }) =>
          seed !== null && isPublicHistory !== true && Date.parse(`${String(day)}T00:00:00Z`) + 86_400_000 > nowMs,
      )
        ? ['the seed of a day that is not over']
        : [],
  ],
]

/** Accepted bets that are still open after their round ended, or whose entry lies beyond every running round. */
async function hangingBets(address: string, seen: Seen, time: SettableTime): Promise<string[]> {
  const all = await Promise.all(
    seen.accepted.map(async ({ player, betId }) => {
      const { data } = await ask(address, '/history/user?limit=5', player)
      return (data as readonly Fields[]).find((bet) => bet['_id'] === betId)
    }),
  )
  const nowMs = time.at(Date.now()) ?? Date.now()
  return all.flatMap((bet) => {
    const leftMs = Date.parse(String(bet?.['endTime'])) - nowMs
    return bet?.['status'] === 'PROGRESS' && (leftMs < -1_500 || leftMs > 120_000) ? [String(bet['_id'])] : []
  })
}
