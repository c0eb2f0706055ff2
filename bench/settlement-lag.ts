import { setTimeout as sleep } from 'node:timers/promises'
import { startRoundEngine } from '#server/features/game/index.ts'
import { createMarket } from '#server/features/market/index.ts'
import type { Database } from '#server/platform/database/db.ts'
import { newId } from '#server/platform/process/ids.ts'
import { openRoundWithBets, type RoundTimes } from './open-bets.ts'
import { engineDeps } from './settle.ts'

export const BETS_A_ROUND = 1_000
/** This many rounds end at the same time here. In the calendar, four rounds do so every six minutes. */
const ROUNDS_AT_ONCE = 2
const FIRST_END_AFTER_S = 3

export interface Lag {
  readonly rounds: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
}

/**
 * Measures how long after a round's end its last bet is settled and its player notified. The calendar drives the
 * engine, and the simulated market runs beside it. Two rounds end together each second, each with bets of its own
 * players.
 */
export async function runLag(db: Database, rounds: number): Promise<Lag> {
  const { deps, close } = await engineDeps(db)
  const market = createMarket({
    db,
    clock: deps.clock,
    log: deps.log,
    settings: { goldFeed: 'simulated', pythUrl: '', pythApiKey: null, swissquoteUrl: '' },
  })
  await market.start()
  const lastToldMs = new Map<string, number>()
  const hints = {
    ...deps.hints,
    betChanged(userId: string, betId: string, isSettled: boolean) {
      deps.hints.betChanged(userId, betId, isSettled)
      lastToldMs.set(betId, deps.clock.now())
    },
  }
  // Waits for the market's one-time work after its start, so that this work is not measured.
  await market.candles.read('simulated', 60, secondOf(deps.clock.now()) - 7 * 86_400, secondOf(deps.clock.now()))
  const opensAtMs = secondOf(deps.clock.now() - 10_000) * 1000
  const ends: RoundTimes[] = []
  for (let n = 0; n < rounds; n++) {
    const round = { id: newId(), opensAtMs, closesAtMs: opensAtMs + 86_400_000 }
    await openRoundWithBets(db, round, n * BETS_A_ROUND + 1, (n + 1) * BETS_A_ROUND)
    ends.push(round)
  }
  await db.query('analyze')
  // All rounds are filled before the first one ends, so that filling does not disturb a round that is being settled.
  const firstEndMs = (secondOf(deps.clock.now()) + FIRST_END_AFTER_S) * 1000
  for (const [n, round] of ends.entries()) {
    const closesAtMs = firstEndMs + Math.floor(n / ROUNDS_AT_ONCE) * 1000
    ends[n] = { ...round, closesAtMs }
    await db.query('update rounds set closes_at = $2, locks_at = $3 where id = $1', [
      round.id,
      new Date(closesAtMs),
      new Date(closesAtMs - 1000),
    ])
  }
  const engine = startRoundEngine({
    ...deps,
    hints,
    prices: { ...market, feedStatus: (source, nowMs) => deps.prices.feedStatus(source, nowMs) },
  })
  try {
    const deadlineMs = (ends.at(-1)?.closesAtMs ?? 0) + 60_000
    while (lastToldMs.size < rounds * BETS_A_ROUND) {
      if (deps.clock.now() > deadlineMs) throw new Error('The rounds were not settled within a minute of their end.')
      await sleep(100)
    }
  } finally {
    await engine.stop()
    await market.stop()
    await close()
  }
  const lags = await lagsOf(db, ends, lastToldMs)
  return {
    rounds,
    p50Ms: quantile(lags, 0.5),
    p99Ms: quantile(lags, 0.99),
    maxMs: lags.at(-1) ?? 0,
  }
}

const secondOf = (ms: number): number => Math.floor(ms / 1000)

async function lagsOf(
  db: Database,
  rounds: readonly RoundTimes[],
  toldMs: ReadonlyMap<string, number>,
): Promise<number[]> {
  const lags: number[] = []
  for (const { id, closesAtMs } of rounds) {
    const { rows } = await db.query<{ id: string }>(`select id from bets where round_id = $1`, [id])
    lags.push(Math.max(...rows.map((bet) => toldMs.get(bet.id) ?? Number.POSITIVE_INFINITY)) - closesAtMs)
  }
  return lags.toSorted((a, b) => a - b)
}

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
