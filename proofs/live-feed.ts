import { setTimeout as sleep } from 'node:timers/promises'
import { createBetPlacer, startRoundEngine } from '#server/features/game/index.ts'
import { createMarket } from '#server/features/market/index.ts'
import { createClock } from '#server/platform/process/clock.ts'
import type { Database } from '#server/platform/database/db.ts'
import { createLog } from '#server/platform/process/log.ts'
import { type FeedServer, startFeedServer } from '#testing/machines/feed.ts'
import { createPlayers, createRound, encodeBet, fixedPrices, noHints, wish } from '#testing/play/rounds.ts'
import { until } from '#testing/time/until.ts'
import { onDatabase } from '../bench/scratch.ts'

const ROUND_S = 30
/** A new player bets at this interval until the round locks. */
const BET_EVERY_MS = 250
const OPENS_WITHIN_MS = 40_000
const SETTLED_WITHIN_MS = 10_000
const LOOK_EVERY_MS = 50

/** A live market with a database of its own, and a feed whose behaviour the proof sets. */
export interface LiveFeed {
  readonly db: Database
  readonly source: string
  readonly feed: FeedServer
  readonly placeBet: ReturnType<typeof createBetPlacer>
}

/** Opens one, and waits until betting is open. Rounds get the live source at any hour, so that this runs on any day. */
export function onLiveFeed<T>(
  name: string,
  goldFeed: 'pyth' | 'swissquote',
  work: (live: LiveFeed) => Promise<T>,
): Promise<T> {
  return onDatabase(`feed_${name}`, async (_url, db) => {
    const log = createLog('silent')
    const clock = await createClock(db, { log })
    const feed = await startFeedServer()
    const settings = { goldFeed, pythUrl: feed.url, pythApiKey: 'key', swissquoteUrl: feed.url }
    const market = createMarket({ db, clock, log, settings })
    const prices = { ...fixedPrices(() => null), ...market }
    const engine = startRoundEngine({ db, clock, log, prices, hints: noHints })
    try {
      await market.start()
      const source = market.liveSource ?? ''
      const isOpen = () => market.closedReason(source) === null
      await until(`${name}: betting opens`, OPENS_WITHIN_MS, isOpen, LOOK_EVERY_MS)
      const placeBet = createBetPlacer({ db, prices, hints: noHints }, encodeBet)
      return await work({ db, source, feed, placeBet })
    } finally {
      await engine.stop()
      await market.stop()
      clock.stop()
      await feed.stop()
    }
  })
}

interface LiveRound {
  readonly id: string
  /** Unix ms. */
  readonly startedAtMs: number
  readonly closesAtMs: number
  readonly sent: readonly SentBet[]
}

/** A bet as it was sent, Unix ms, by its player. */
export interface SentBet {
  readonly userId: string
  readonly sentAtMs: number
  readonly wasTaken: boolean
}

/**
 * Places bets up and down in a new live round, while the feed behaves as `weather` sets it by ms since the round's
 * start, and waits for the round's end.
 */
export async function playLiveRound(
  { db, source, placeBet }: LiveFeed,
  weather: (sinceStartMs: number) => void,
): Promise<LiveRound> {
  const players = await createPlayers(db, (ROUND_S * 1_000) / BET_EVERY_MS)
  const round = await createRound(db, { goneS: 0, leftS: ROUND_S, source })
  const startedAtMs = Date.now()
  const timer = setInterval(() => weather(Date.now() - startedAtMs), 25)
  const sent: SentBet[] = []
  try {
    for (const [n, player] of players.entries()) {
      await sleep(Math.max(0, startedAtMs + n * BET_EVERY_MS - Date.now()))
      const sentAtMs = Date.now()
      const { ok } = await placeBet(wish(player, round.id, 10, n % 2 === 0 ? 'up' : 'down'))
      sent.push({ userId: player.id, sentAtMs, wasTaken: ok })
    }
    const hasEnded = async () => {
      const { rows } = await db.query<{ status: string }>('select status from rounds where id = $1', [round.id])
      return rows[0]?.status === 'ended'
    }
    await until('the round ends', round.closesAtMs + SETTLED_WITHIN_MS - Date.now(), hasEnded, LOOK_EVERY_MS)
  } finally {
    clearInterval(timer)
  }
  return { ...round, startedAtMs, sent }
}
