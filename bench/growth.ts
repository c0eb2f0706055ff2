import { setTimeout as sleep } from 'node:timers/promises'
import { settleDue } from '#server/features/game/index.ts'
import type { Database } from '#server/platform/database/db.ts'
import { newId } from '#server/platform/process/ids.ts'
import { withServer } from '#testing/machines/process.ts'
import { runLists } from './lists.ts'
import { runPlacer } from './place-bets.ts'
import { publicServer, signIn, timePublicReads } from './public-reads.ts'
import { type Line, median } from './report.ts'
import { engineDeps, makeDueRound } from './settle.ts'
import { makeRunningRound, secretHashSql, sessionIdSql, tokenOf, userIdSql } from './world.ts'

/** The first players of a large world have open bets already, so other players place the measured bets. */
const BUSY_PLAYERS = 200
const BATCHES = 5
const BATCH = 100
const IN_FLIGHT = 32
/** Calls about the own data of player 1, who has the most bets. */
const OWN_PATHS = ['/history/user', '/history/user/summary', '/user/statistics', '/user/ledger', '/user/notifications']

/** The number of bets in a world, and for each kind of work the median time that it takes there, in ms. */
export interface Grown {
  readonly bets: number
  readonly ms: ReadonlyMap<string, number>
}

/** Measures what players and staff do in a world that `makeLargeWorld` made, whatever the size of the world. */
export async function runGrowth(db: Database, url: string, samples: number): Promise<Grown> {
  const ms = new Map([
    [`a round of ${BATCH} bets, settled`, await settlingMs(db)],
    [`${BATCH} bets, ${IN_FLIGHT} in flight`, await placingMs(db)],
  ])
  await db.query(
    `insert into sessions (id, user_id, secret_hash, expires_at)
     values (${sessionIdSql('1')}, ${userIdSql('1')}, ${secretHashSql('1')}, now() + interval '1 day')
     on conflict do nothing`,
  )
  await withServer(publicServer(url), async ({ address }) => {
    for (const { name, ms: times } of (await timePublicReads(db, address, samples)).seen) ms.set(name, median(times))
    for (const path of OWN_PATHS) ms.set(`own ${path}`, await timeOf(`${address}/api/v1${path}`, samples))
  })
  ms.set('start until ready', await startMs(url))
  const { bets, timings } = await runLists(db, url, samples)
  for (const [name, { p50Ms }] of timings) ms.set(name, p50Ms)
  return { bets, ms }
}

async function settlingMs(db: Database): Promise<number> {
  const { deps, close } = await engineDeps(db)
  const times: number[] = []
  try {
    for (let n = 0; n <= BATCHES; n++) {
      const first = BUSY_PLAYERS + 1 + n * BATCH
      await makeDueRound(db, first, first + BATCH - 1)
      const startedAt = performance.now()
      if (await settleDue(deps)) throw new Error('The round was not settled in one pass.')
      times.push(performance.now() - startedAt)
    }
  } finally {
    await close()
  }
  // The first round is left out, because it compiled the code.
  return median(times.slice(1))
}

async function placingMs(db: Database): Promise<number> {
  const roundId = newId()
  await makeRunningRound(db, roundId)
  const players = await signIn(db, (BATCHES + 1) * BATCH, BUSY_PLAYERS)
  const times: number[] = []
  for (let from = 0; from + BATCH <= players.length; from += BATCH)
    times.push((BATCH / (await runPlacer(db, players.slice(from, from + BATCH), IN_FLIGHT, roundId))) * 1000)
  return median(times.slice(1))
}

async function timeOf(address: string, samples: number): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < samples + 2; n++) {
    const startedAt = performance.now()
    const answer = await fetch(address, { headers: { authorization: `Bearer ${tokenOf(1)}` } })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${address}: ${answer.status} ${text}`)
    times.push(performance.now() - startedAt)
  }
  return median(times.slice(2))
}

/** Returns the time from the start of a process until it is ready: the median of three starts, in ms. */
async function startMs(url: string): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < 3; n++) {
    const startedAt = performance.now()
    await withServer(publicServer(url), async ({ address }) => {
      while (!(await fetch(`${address}/readyz`)).ok) await sleep(20)
      times.push(performance.now() - startedAt)
    })
  }
  return median(times)
}

/** Returns a line per kind of work. The exponent says how the time grows with the bets: 0 not, 1 in proportion. */
export function growthLines(worlds: readonly Grown[]): Line[] {
  const names = [...new Set(worlds.flatMap(({ ms }) => [...ms.keys()]))]
  return names.map((name) => {
    const seen = worlds.flatMap(({ bets, ms }) => {
      const took = ms.get(name)
      return took === undefined ? [] : [{ bets, took }]
    })
    return {
      name,
      ours: `${seen.map(({ took }) => took.toFixed(1)).join(' · ')} ms`,
      yardstick: '',
      ratio: `exponent ${slope(seen.map(({ bets, took }) => [Math.log(bets), Math.log(took)])).toFixed(2)}`,
      bar: '',
      isMet: null,
      note: '',
    }
  })
}

/** Returns the slope of the straight line that fits the points best (least squares). */
function slope(points: ReadonlyArray<readonly [x: number, y: number]>): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [midX, midY] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))]
  const across = points.reduce((sum, [x, y]) => sum + (x - midX) * (y - midY), 0)
  return across / points.reduce((sum, [x]) => sum + (x - midX) ** 2, 0)
}
