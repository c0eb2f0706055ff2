import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { io, type Socket } from 'socket.io-client'
import { ROUND_TYPES, type RoundType } from '#domain/game/calendar.ts'
import type { Database } from '#server/platform/database/db.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { openNative } from '#server/platform/database/native.ts'
import { brokenInvariants } from '#testing/play/books.ts'
import { makeSettableTime, type SettableTime } from '#testing/machines/clock.ts'
import { withOwnPostgres } from '#testing/machines/postgres.ts'
import { withEmbedded } from '../../bench/embedded.ts'
import { onDatabase } from '../../bench/scratch.ts'
import { seeded } from '#testing/run/seeded.ts'
import { makeWorld, ROUND_ID, STAKE_POINTS, tokenOf } from '../../bench/world.ts'
import { inFolder } from '#testing/machines/folder.ts'
import { makeOwnServer, type OwnServer } from '#testing/machines/process.ts'
import { atLeast, type BarLine, exactly } from '../report.ts'
import { type EarlyPrices, readPrices, type ToldPrice } from './early-prices.ts'

const PLAYERS = 1_000
/** One bet is placed at this interval, and this many at once whenever a price is sent. */
const BET_EVERY_MS = 250
const BETS_ON_TICK = 2
const ROUNDS_READ_EVERY_MS = 400
/** How long a strobe leaves the clock alone. */
const STROBE_LEAST_MS = 300
const STROBE_MOST_MS = 2_000
/** The clock is sure again within this time of its last step (rules §2.1), and everything due is settled in the time after. */
const SURE_MS = 1_000
const SETTLED_MS = 5_000
const DAY_S = 86_400
/** Rounds of all four types that close in a second: 1/30 + 1/60 + 1/90 + 1/120. */
const ROUNDS_A_SECOND = 25 / 360

/**
 * A clock is set this many seconds ahead of the machine's and left there, in this order of steps; at the end it is
 * right again.
 */
type Step = readonly [aheadS: number, forMs: number]

const EMBEDDED = 'process with its database'

interface Course {
  readonly name: string
  /** The program whose clock is set. The database's clock is the machine's unless it is named here. */
  readonly clockOf: 'process' | typeof EMBEDDED | 'database'
  readonly steps: readonly Step[]
}

function coursesOf(isShort: boolean): readonly Course[] {
  const rounds = isShort ? 2 : 60
  const strobe = strobing((rounds / ROUNDS_A_SECOND) * 1_000)
  const wrongMs = isShort ? 3_000 : 30_000
  const wrong: readonly Step[] = [
    [-300, wrongMs],
    [0, wrongMs],
    [3_600, wrongMs],
    [0, wrongMs],
  ]
  const jumps = Array.from({ length: isShort ? 1 : 20 }, () => [10, 0, -10, 0]).flat()
  const days: readonly Step[] = [-DAY_S, 0, DAY_S, 0].map((aheadS) => [aheadS, isShort ? 5_000 : 10_000] as const)
  return [
    { name: 'process −5 min, +1 h, ±1 s', clockOf: 'process', steps: [...wrong, ...strobe] },
    // An hour or a day ahead comes last: prices of that time are then stored, which keep betting closed until that
    // time.
    { name: 'embedded ±1 s, −5 min, +1 h, ±1 day', clockOf: EMBEDDED, steps: [...strobe, ...wrong, ...days] },
    {
      name: 'database ±10 s, ±1 day',
      clockOf: 'database',
      steps: [...jumps.map((aheadS) => [aheadS, isShort ? 7_000 : 12_000] as const), ...days],
    },
  ]
}

function strobing(forMs: number): Step[] {
  const random = seeded(7)
  const steps: Step[] = []
  for (let [leftMs, aheadS] = [forMs, 1]; leftMs > 0; aheadS = -aheadS) {
    const ms = STROBE_LEAST_MS + random() * (STROBE_MOST_MS - STROBE_LEAST_MS)
    steps.push([aheadS, ms])
    leftMs -= ms
  }
  return steps
}

/** Wrong clocks, while a crowd bets that presses whenever it sees a price, and somebody reads all that shows prices. */
export function clocks(isShort: boolean): Promise<BarLine[]> {
  const least = isShort ? { rounds: 2, bets: 10 } : { rounds: 20, bets: 200 }
  return inFolder(async (folder) => {
    // Opened first: while an embedded database opens, this process answers nobody for seconds.
    const embedded = join(folder, EMBEDDED)
    mkdirSync(embedded)
    await withEmbedded(embedded, makePlayers)
    const judged = await Promise.all(coursesOf(isShort).map((course) => run(course, folder, least)))
    return judged.flat()
  })
}

async function makePlayers(db: Database): Promise<void> {
  await migrate(db)
  await makeWorld(db, PLAYERS)
}

interface Least {
  readonly rounds: number
  readonly bets: number
}

/** @param folder has the data folders of all courses */
async function run(course: Course, folder: string, least: Least): Promise<BarLine[]> {
  const time = makeSettableTime()
  const dataDir = join(folder, course.clockOf)
  try {
    return await inWorld(course, time, dataDir, async (env, read) => {
      const server = await makeOwnServer(dataDir, env)
      // Starts another process of the same database, whose answers may not reveal more than the first one's.
      const other = course.clockOf === 'database' ? await makeOwnServer(`${dataDir} 2`, env) : null
      try {
        await server.start()
        await other?.start()
        const crowd = await startCrowd(server)
        const { told, accepted } = crowd
        const urls = [server, other].flatMap((one) => one?.url ?? [])
        const timeAt = (machineMs: number, slackMs: number) =>
          course.clockOf === 'process' ? machineMs : time.at(machineMs, slackMs)
        const endReading = readPrices({ urls, token: tokenOf(1), timeAt, told, accepted })
        let prices: EarlyPrices
        try {
          for (const [aheadS, forMs] of course.steps) {
            time.set(aheadS)
            await sleep(forMs)
          }
          time.set(0)
          await sleep(SURE_MS + SETTLED_MS)
        } finally {
          prices = await endReading()
          await crowd.stop()
        }
        const endedMs = Date.now()
        await server.kill()
        await other?.kill()
        return await read((db) => judge(course.name, db, crowd, prices, endedMs, least))
      } finally {
        await server.kill()
        await other?.kill()
        forgetTimeOf(server.pid())
      }
    })
  } finally {
    time.remove()
  }
}

/** libfaketime leaves its shared memory behind when its program is killed. */
function forgetTimeOf(pid: number | undefined): void {
  for (const name of ['faketime_shm', 'sem.faketime_sem']) rmSync(`/dev/shm/${name}_${pid}`, { force: true })
}

type Read = (judging: (db: Database) => Promise<BarLine[]>) => Promise<BarLine[]>

/** Makes the players in the database of this course, where it is not embedded, and gives `work` the environment of its server and a way to read after it. */
function inWorld(
  { clockOf }: Course,
  time: SettableTime,
  dataDir: string,
  work: (env: Record<string, string>, read: Read) => Promise<BarLine[]>,
): Promise<BarLine[]> {
  if (clockOf === 'process')
    return onDatabase('clocks', async (url, db) => {
      await makeWorld(db, PLAYERS)
      return work({ ...SETTINGS, DATABASE_URL: url, ...time.env }, (judging) => judging(db))
    })
  if (clockOf === 'database')
    return withOwnPostgres(time, async (url) => {
      const db = openNative({ url, max: 2 })
      try {
        await makePlayers(db)
        return await work({ ...SETTINGS, DATABASE_URL: url }, (judging) => judging(db))
      } finally {
        await db.close()
      }
    })
  return work({ ...SETTINGS, ...time.env }, (judging) => withEmbedded(dataDir, judging))
}

/** Both processes of a database sign the same audit log, and neither asks for coins. */
const SETTINGS = { AUDIT_KEY: 'ab'.repeat(32), COINGECKO_URL: 'http://127.0.0.1:9' }

interface Accepted {
  readonly id: string
  readonly token: string
  readonly entrySecond: number
  readonly sentMs: number
}

interface Crowd {
  readonly accepted: readonly Accepted[]
  readonly told: readonly ToldPrice[]
  /** How often each code was the answer of a bet that was refused. */
  readonly refused: ReadonlyMap<string, number>
  /** Whether the price of this second, or of a later one, had been sent before a moment, Unix ms. */
  isKnown(second: number, atMs: number): boolean
  stop(): Promise<void>
}

async function startCrowd(server: OwnServer): Promise<Crowd> {
  const told: ToldPrice[] = []
  const accepted: Accepted[] = []
  const refused = new Map<string, number>()
  const waiting = new Set<Promise<void>>()
  let rounds: readonly string[] = []
  let pressed = 0
  let isStopped = false

  const press = (): void => {
    const nth = pressed++
    const round = rounds[nth % rounds.length]
    if (round === undefined || isStopped) return
    const one = bet(server.url, tokenOf(1 + (nth % PLAYERS)), round, nth).then((answer) => {
      if (typeof answer === 'string') refused.set(answer, (refused.get(answer) ?? 0) + 1)
      else accepted.push(answer)
    })
    waiting.add(one)
    void one.finally(() => waiting.delete(one))
  }
  const socket = await watch(server.url, (second, price) => {
    told.push({ second, price, atMs: Date.now() })
    for (let n = 0; n < BETS_ON_TICK; n++) press()
  })
  const reading = (async () => {
    while (!isStopped) {
      rounds = await running(server.url)
      await sleep(ROUNDS_READ_EVERY_MS)
    }
  })()
  const pressing = setInterval(press, BET_EVERY_MS)
  return {
    accepted,
    told,
    refused,
    isKnown: (second, atMs) => told.some((tick) => tick.second >= second && tick.atMs < atMs),
    async stop() {
      isStopped = true
      clearInterval(pressing)
      socket.disconnect()
      await reading
      await Promise.all(waiting)
    },
  }
}

/** Calls `onPrice` with each price that the server sends, and its second. */
async function watch(url: string, onPrice: (second: number, price: number) => void): Promise<Socket> {
  const socket = io(url, { transports: ['websocket'], auth: { token: tokenOf(1) } })
  socket.on('price_tick', ({ second, price }: { second: number; price: number | null }) => {
    if (price !== null) onPrice(second, price)
  })
  // Sent after each reconnect, too: a wrong clock may cost the connection.
  socket.on('connect', () => socket.emit('watch_game', { type: '30s' }))
  await new Promise<void>((resolve) => socket.once('connect', resolve))
  return socket
}

/** The rounds that the game shows, without the one that lasts for a day. */
async function running(url: string): Promise<string[]> {
  const ids = await Promise.all(ROUND_TYPES.map((type) => shownRound(url, type)))
  return ids.filter((id) => id !== null && id !== ROUND_ID) as string[]
}

async function shownRound(url: string, type: RoundType): Promise<string | null> {
  const answer = await fetch(`${url}/api/v1/game/current?type=${type}`, {
    headers: { authorization: `Bearer ${tokenOf(1)}` },
  })
  const { data } = (await answer.json()) as { data: { _id: string } | null }
  return data?._id ?? null
}

/** Returns the code of a refusal, or the bet. */
async function bet(url: string, token: string, roundId: string, nth: number): Promise<string | Accepted> {
  const sentMs = Date.now()
  const answer = await fetch(`${url}/api/v1/history`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': `clock-${nth}`,
    },
    body: JSON.stringify({
      gameId: roundId,
      score: STAKE_POINTS,
      value: nth % 2 === 0 ? 'UP' : 'DOWN',
      seenBasis: 'PRICE',
    }),
  })
  const { code, data } = (await answer.json()) as { code?: string; data?: { _id: string; entryFrom: string } }
  if (data == null) return code ?? String(answer.status)
  return { id: data._id, token, entrySecond: Date.parse(data.entryFrom) / 1000, sentMs }
}

async function judge(
  name: string,
  db: Database,
  crowd: Crowd,
  { early, judged }: EarlyPrices,
  endedMs: number,
  least: Least,
): Promise<BarLine[]> {
  const { rows } = await db.query<{ ended: number; doubled: number; late: number; bets: number; open: number }>(
    `with calendar as (select * from rounds where id <> $1 and deleted_at is null),
       due as (select * from rounds where id <> $1 and closes_at <= to_timestamp($2::float8 / 1000))
     select (select count(*) from calendar where status = 'ended')::int as ended,
         (select count(*) from calendar a join calendar b on a.type = b.type and a.id < b.id
             and a.opens_at < b.closes_at and b.opens_at < a.closes_at)::int as doubled,
         (select count(*) from due where status <> 'ended' and deleted_at is null)::int as late,
         (select count(*) from bets where status in ('won', 'lost'))::int as bets,
         (select count(*) from bets b join due r on r.id = b.round_id where b.status = 'open')::int as open`,
    [ROUND_ID, endedMs - SETTLED_MS],
  )
  const { ended = 0, doubled = 0, late = 0, bets = 0, open = 0 } = rows[0] ?? {}
  const codes = [...crowd.refused].map(([code, count]) => `${count} ${code}`).join(', ')
  process.stderr.write(
    `  ${name}: ${crowd.accepted.length} bets accepted, ${bets} decided; refused: ${codes || 'none'}\n`,
  )
  for (const what of new Set(early)) process.stderr.write(`    ${what}\n`)
  const known = crowd.accepted.filter(({ entrySecond, sentMs }) => crowd.isKnown(entrySecond, sentMs))
  return [
    atLeast(`${name}: rounds that ended`, ended, least.rounds),
    atLeast(`${name}: bets accepted`, crowd.accepted.length, least.bets),
    exactly(`${name}: bets on a price that was known when they were sent`, known.length, 0),
    atLeast(`${name}: answers and ticks with prices`, judged, least.bets),
    exactly(`${name}: of them early`, early.length, 0),
    exactly(`${name}: rounds doubled or overlapping`, doubled, 0),
    exactly(`${name}: bets and rounds unsettled ${SETTLED_MS / 1000} s after the clock is sure again`, open + late, 0),
    exactly(`${name}: findings in the books`, (await brokenInvariants(db)).length, 0),
  ]
}
