import { ROUND_TYPES } from '#domain/game/calendar.ts'
import { closeBetTransfers, stakeTransfer } from '#domain/ledger/transfers.ts'
import { points } from '#domain/money.ts'
import { dayOf } from '#domain/day.ts'
import { postTransfers } from '#server/features/wallet/index.ts'
import type { Database } from '#server/platform/database/db.ts'
import { type MadeBet, makeHistory, recountStatistics } from '#testing/play/bets.ts'
import type { Line } from './report.ts'
import { withServer } from '#testing/machines/process.ts'
import { tokenOf } from './world.ts'

/** The longest that a player should wait, ms. */
const BAR_MS = 100
const DAYS = 120
const DAY_MS = 86_400_000
const CHUNK = 1_000
const STAKE_POINTS = 10
const PROFIT_MINOR = 50n
const WARM_CALLS = 3

/** Gives player 1 this many bets up to now, with all transfers of these bets. Returns the player's id. */
export async function makeLongHistory(db: Database, bets: number): Promise<string> {
  const { rows } = await db.query<{ id: string }>(`select id from users order by id limit 1`)
  const userId = rows[0]?.id ?? ''
  const spacingMs = Math.floor((DAYS * DAY_MS) / bets)
  const firstMs = Date.now() - bets * spacingMs
  for (let from = 0; from < bets; from += CHUNK) {
    const made = Array.from({ length: Math.min(CHUNK, bets - from) }, (_, at): MadeBet => {
      const n = from + at
      const acceptedAtMs = firstMs + n * spacingMs
      return {
        type: ROUND_TYPES[0],
        basis: 'PRICE',
        // The outcomes look random, and leave the balance unchanged.
        status: (Math.imul(n >> 1, 2_654_435_761) >>> 30) % 2 === n % 2 ? 'won' : 'lost',
        stakePoints: STAKE_POINTS,
        acceptedAtMs,
        lastsMs: 20_000,
        settledAtMs: acceptedAtMs + 20_100,
      }
    })
    const ids = await makeHistory(db, userId, made)
    const transfers = ids.flatMap((id, at) => [
      stakeTransfer(id, userId, points(STAKE_POINTS)),
      ...closeBetTransfers(id, userId, points(STAKE_POINTS), made[at]?.status === 'won' ? PROFIT_MINOR : -PROFIT_MINOR),
    ])
    await db.tx((tx) => postTransfers(tx, transfers, made[0]?.acceptedAtMs ?? firstMs))
  }
  await db.query('analyze')
  return userId
}

export interface StatisticsSeen {
  /** The time of the very first read, which sums up the whole history by days. */
  readonly firstMs: number
  readonly p50Ms: number
  readonly p95Ms: number
}

/** Reads the statistics of player 1 over HTTP, one call after another, with each range that the screen offers. */
export async function runStatistics(env: Record<string, string>, samples: number): Promise<StatisticsSeen> {
  return withServer(env, async ({ address }) => {
    const headers = { authorization: `Bearer ${tokenOf(1)}` }
    const since = (days: number) => `?from=${dayOf(Date.now() - (days - 1) * DAY_MS)}`
    const queries = ['', since(7), since(30), since(90)]
    const ask = async (turn: number): Promise<number> => {
      const startedAt = performance.now()
      const answer = await fetch(`${address}/api/v1/user/statistics${queries[turn % queries.length]}`, { headers })
      const text = await answer.text()
      if (!answer.ok || !text.includes('"win":')) throw new Error(`statistics: ${answer.status} ${text.slice(0, 200)}`)
      return performance.now() - startedAt
    }
    const firstMs = await ask(0)
    for (let turn = 0; turn < WARM_CALLS; turn++) await ask(turn)
    const times: number[] = []
    for (let turn = 0; turn < samples; turn++) times.push(await ask(turn))
    times.sort((a, b) => a - b)
    const at = (share: number) => times[Math.ceil(times.length * share) - 1] ?? Number.NaN
    return { firstMs, p50Ms: at(0.5), p95Ms: at(0.95) }
  })
}

/** Counts the same numbers from the bets with one statement. Returns the median time of three runs, in ms. */
export async function runRecount(db: Database, userId: string): Promise<number> {
  const times: number[] = []
  for (let turn = 0; turn < 3; turn++) {
    const startedAt = performance.now()
    await recountStatistics(db, userId)
    times.push(performance.now() - startedAt)
  }
  return times.toSorted((a, b) => a - b)[1] ?? Number.NaN
}

export const statisticsLine = (name: string, bets: number, seen: StatisticsSeen, recountMs: number): Line => ({
  name: `${name}statistics of a player with ${bets} bets`,
  ours: `p95 ${seen.p95Ms.toFixed(0)} ms`,
  yardstick: `${recountMs.toFixed(0)} ms`,
  ratio: `${(seen.p95Ms / recountMs).toFixed(2)} ×`,
  bar: `≤ ${BAR_MS} ms`,
  isMet: seen.p95Ms <= BAR_MS,
  note: `p50 ${seen.p50Ms.toFixed(0)} ms; the first read, which folds all, ${(seen.firstMs / 1000).toFixed(1)} s`,
})
