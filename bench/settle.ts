import { createServer } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { DURATION_S } from '#domain/game/calendar.ts'
import { type EngineDeps, type GameHints, settleDue } from '#server/features/game/index.ts'
import { ensureTicks } from '#server/features/market/ticks.ts'
import { createClock } from '#server/platform/process/clock.ts'
import type { Database } from '#server/platform/database/db.ts'
import { newId } from '#server/platform/process/ids.ts'
import { createLog } from '#server/platform/process/log.ts'
import { createSocketHub } from '#server/platform/sockets/socket-hub.ts'
import { fixedPrices } from '#testing/play/rounds.ts'
import { openRoundWithBets, type RoundTimes } from './open-bets.ts'
import { SETTLE_ALL } from './settle-statement.ts'
import { SETTLED_TYPE } from './world.ts'

export interface Settling {
  readonly ms: number
  /** The longest time for which the event loop of our process was blocked. */
  readonly loopBlockedMs: number
}

/** Bets of a warm-up round: a server that has run for a while has compiled its code and planned its statements. */
export const WARM_BETS = 500

/** Settles a round with this many bets as the engine does when it is due. Needs players 1 to `bets` + WARM_BETS. */
export async function runSettling(db: Database, bets: number): Promise<Settling> {
  const { deps, close } = await engineDeps(db)
  try {
    await makeDueRound(db, 1, WARM_BETS)
    await settleDue(deps)
    await makeDueRound(db, WARM_BETS + 1, WARM_BETS + bets)
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    const startedAt = performance.now()
    const isWaiting = await settleDue(deps)
    const ms = performance.now() - startedAt
    delay.disable()
    if (isWaiting) throw new Error('The round was not settled in one pass.')
    return { ms, loopBlockedMs: delay.max / 1e6 }
  } finally {
    await close()
  }
}

/** Settles the same bets with one statement; returns its time in ms. */
export async function runSettleStatement(db: Database, bets: number): Promise<number> {
  const settle = async ({ id, closesAtMs }: RoundTimes) => {
    const startedAt = performance.now()
    await db.tx(async (tx) => {
      await tx.query(SETTLE_ALL, [id, closesAtMs / 1000])
      await tx.query(`update rounds set status = 'ended', ended_at = now() where id = $1`, [id])
    })
    return performance.now() - startedAt
  }
  await settle(await makeDueRound(db, 1, WARM_BETS))
  return await settle(await makeDueRound(db, WARM_BETS + 1, WARM_BETS + bets))
}

/** Makes a round that has just ended, with a bet of each player from `from` to `to` and a tick for each second. */
export async function makeDueRound(db: Database, from: number, to: number): Promise<RoundTimes> {
  const closesAtMs = Math.floor(Date.now() / 1000) * 1000
  const round = { id: newId(), opensAtMs: closesAtMs - DURATION_S[SETTLED_TYPE] * 1000, closesAtMs }
  await openRoundWithBets(db, round, from, to)
  await db.query(
    `insert into ticks (source, second, price, quote_at)
     select 'simulated', s, 2000000 + (s * 37) % 1009, to_timestamp(s) from generate_series($1::bigint, $2::bigint) s
     on conflict do nothing`,
    [round.opensAtMs / 1000, closesAtMs / 1000],
  )
  await db.query('analyze')
  return round
}

/** Returns the engine's dependencies, with a socket hub that has no clients. */
export async function engineDeps(db: Database): Promise<{ deps: EngineDeps; close: () => Promise<void> }> {
  const log = createLog('warn')
  const clock = await createClock(db, { log })
  const hub = createSocketHub({ server: createServer(), db, log, redis: null })
  const hints: GameHints = {
    roundOpened: (type) => hub.emitHere(`game:${type}`, 'round_changed', { type }),
    roundChanged: (type) => hub.emitTo(`game:${type}`, 'round_changed', { type }),
    betChanged: (userId, betId, isSettled) => hub.emitTo(`user:${userId}`, 'bet_changed', { betId, isSettled }),
    noticesChanged: (userId) => hub.emitTo(`user:${userId}`, 'notices_changed', {}),
    balanceChanged: (userId, balanceMinor) => hub.emitTo(`user:${userId}`, 'balance_changed', { balanceMinor }),
  }
  const prices = { ...fixedPrices(() => null), ensureTicks }
  return {
    deps: { db, prices, hints, clock, log },
    close: async () => {
      clock.stop()
      await hub.close()
    },
  }
}
