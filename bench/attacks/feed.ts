import { setTimeout as sleep } from 'node:timers/promises'
import { createBetPlacer, startRoundEngine } from '#server/features/game/index.ts'
import { createMarket, type Market } from '#server/features/market/index.ts'
import { createClock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/db.ts'
import { createLog } from '#server/platform/log.ts'
import { type FeedServer, startFeedServer } from '#server/testing/feed-server.ts'
import { createPlayers, createRound, encodeBet, fixedPrices, noHints, wish } from '#server/testing/game-world.ts'
import { onDatabase } from '../scratch.ts'
import type { AttackLine } from './report.ts'

const ROUND_S = 30
/** A new player bets at this interval until the round locks. */
const BET_EVERY_MS = 250
const LATE_MS = 4_000
/** Milliseconds after the round's start. */
const TURNS_LATE_AT_MS = 8_000
const SPIKE = { fromMs: 8_000, toMs: 12_000 }
/** The last second of the round, whose price would be the exit, falls into this second spike. */
const LAST_SPIKE_FROM_MS = 28_500
/** By then the server has received the next answer of a feed that it polls once a second. */
const HEARD_AFTER_MS = 1_500
const OPENS_WITHIN_MS = 30_000
const SETTLED_WITHIN_MS = 10_000

/**
 * A live feed that lags by 4 s, and one that reports three times the price for a while: which bets are still accepted,
 * and which prices decide them (rules §5). Rounds get the live source at any hour, so that this runs on any day.
 */
export async function attackFeed(): Promise<AttackLine[]> {
  return [...(await inScene('late', comesLate)), ...(await inScene('spike', jumps))]
}

/** A live market with a database of its own, and a feed whose behaviour the attack sets. */
interface Scene {
  readonly db: Database
  readonly market: Market
  readonly source: string
  readonly feed: FeedServer
  readonly placeBet: ReturnType<typeof createBetPlacer>
}

async function comesLate(scene: Scene): Promise<AttackLine[]> {
  const { db, market, source, feed } = scene
  await untilOpen(scene)
  let closedAtMs: number | null = null
  const turning = await playRound(scene, (sinceMs) => {
    if (sinceMs < TURNS_LATE_AT_MS) return
    feed.set({ lateMs: LATE_MS })
    if (market.closedReason(source) !== null) closedAtMs ??= Date.now()
  })
  const { rows } = await db.query<{ second: bigint }>(
    `select second from ticks where source = $1 and price is null and second >= $2::bigint order by second limit 1`,
    [source, Math.floor((turning.startedAtMs + TURNS_LATE_AT_MS) / 1000)],
  )
  const firstMissingMs = Number(rows[0]?.second) * 1000
  const closedAfterS = closedAtMs === null ? Number.NaN : (closedAtMs - firstMissingMs) / 1000
  const tail = turning.bets.filter(({ sentAtMs }) => sentAtMs > firstMissingMs + 3_000)

  const late = await playRound(scene, () => {})
  const { rows: written } = await db.query<{ first: number; last: number; n: number }>(
    `select min(after) as first, max(after) as last, count(*)::integer as n
       from (select extract(epoch from recorded_at - to_timestamp(second))::float8 as after from ticks
              where source = $1 and price is null and second >= $2::bigint) missing`,
    [source, firstMissingMs / 1000],
  )
  const { first, last, n } = written[0] ?? { first: 0, last: 0, n: 0 }
  const taken = late.bets.filter(({ wasTaken }) => wasTaken)
  return [
    {
      what: 'a live feed turns 4 s late: from the first second without a price until betting is closed',
      seen: closedAtMs === null ? 'never closed' : `${closedAfterS.toFixed(1)} s`,
      bar: '3 s',
      isMet: closedAfterS <= 3,
    },
    {
      what: 'bets taken later than that in its round, none of which can be priced',
      seen: `${tail.filter(({ wasTaken }) => wasTaken).length} of ${tail.length}`,
      bar: '0',
      isMet: tail.length > 0 && tail.every(({ wasTaken }) => !wasTaken),
    },
    {
      what: 'a live round whose feed is 4 s late throughout: bets taken, and void for want of a price',
      seen: `${taken.length} of ${late.bets.length}, ${taken.filter(({ voidReason }) => voidReason === 'NO_TICK').length} void`,
      bar: '0',
      isMet: taken.length === 0,
    },
    {
      what: 'the row of a second without a price is written so long after it',
      seen: `${first.toFixed(2)}–${last.toFixed(2)} s (${n} rows)`,
      bar: '0.70–1.00 s',
      isMet: n > 0 && first >= 0.7 && last <= 1,
    },
  ]
}

async function jumps(scene: Scene): Promise<AttackLine[]> {
  const { db, source, feed } = scene
  await untilOpen(scene)
  const { startedAtMs, bets } = await playRound(scene, (sinceMs) => {
    const isSpike = (sinceMs >= SPIKE.fromMs && sinceMs < SPIKE.toMs) || sinceMs >= LAST_SPIKE_FROM_MS
    feed.set({ factor: isSpike ? 3 : 1 })
  })
  const taken = bets.filter(({ wasTaken }) => wasTaken)
  const during = bets.filter(
    ({ sentAtMs }) => sentAtMs >= startedAtMs + SPIKE.fromMs + HEARD_AFTER_MS && sentAtMs < startedAtMs + SPIKE.toMs,
  )
  const bySpike = taken.filter(({ decidedBy }) => decidedBy.some((price) => price > 8_000_000))
  const { rows } = await db.query<{ n: bigint }>(
    'select count(*) as n from ticks where source = $1 and price > 8000000',
    [source],
  )
  return [
    {
      what: 'a live price three times the last one: bets it decides, and ticks that carry it',
      seen: `${bySpike.length} of ${taken.length}, ${rows[0]?.n} ticks`,
      bar: '0, 0',
      isMet: taken.length > 0 && bySpike.length === 0 && rows[0]?.n === 0n,
    },
    {
      what: 'bets taken while it lasts, from when it is heard',
      seen: `${during.filter(({ wasTaken }) => wasTaken).length} of ${during.length}`,
      bar: '0',
      isMet: during.length > 0 && during.every(({ wasTaken }) => !wasTaken),
    },
  ]
}

interface PlayedBet {
  readonly sentAtMs: number
  readonly wasTaken: boolean
  readonly voidReason: string | null
  /** The entry and exit price, as far as they exist. */
  readonly decidedBy: readonly number[]
}

interface BetRow extends Record<string, unknown> {
  readonly user_id: string
  readonly void_reason: string | null
  readonly entry_price: number | null
  readonly exit_price: number | null
}

/**
 * Places bets in a new live round until it locks, while the feed misbehaves as given, and waits for the round's end.
 */
async function playRound(
  { db, source, placeBet }: Scene,
  weather: (sinceStartMs: number) => void,
): Promise<{ readonly startedAtMs: number; readonly bets: readonly PlayedBet[] }> {
  const players = await createPlayers(db, (ROUND_S * 1_000) / BET_EVERY_MS)
  const round = await createRound(db, { goneS: 0, leftS: ROUND_S, source })
  const startedAtMs = Date.now()
  const timer = setInterval(() => weather(Date.now() - startedAtMs), 50)
  const sent = new Map<string, { readonly sentAtMs: number; readonly wasTaken: boolean }>()
  try {
    for (const [n, player] of players.entries()) {
      await sleep(Math.max(0, startedAtMs + n * BET_EVERY_MS - Date.now()))
      const sentAtMs = Date.now()
      if (sentAtMs >= round.closesAtMs - 3_500) break
      const { ok } = await placeBet(wish(player, round.id, 10))
      sent.set(player.id, { sentAtMs, wasTaken: ok })
    }
    await until('the round ends', round.closesAtMs + SETTLED_WITHIN_MS, async () => {
      const { rows } = await db.query<{ status: string }>('select status from rounds where id = $1', [round.id])
      return rows[0]?.status === 'ended'
    })
  } finally {
    clearInterval(timer)
  }
  const { rows } = await db.query<BetRow>(
    'select user_id, void_reason, entry_price, exit_price from bets where round_id = $1',
    [round.id],
  )
  const byUser = new Map(rows.map((row) => [row.user_id, row]))
  const bets = [...sent].map(([userId, bet]) => {
    const row = byUser.get(userId)
    const prices = [row?.entry_price ?? null, row?.exit_price ?? null]
    return { ...bet, voidReason: row?.void_reason ?? null, decidedBy: prices.filter((price) => price !== null) }
  })
  return { startedAtMs, bets }
}

const untilOpen = ({ market, source }: Scene): Promise<void> =>
  until('betting opens', Date.now() + OPENS_WITHIN_MS, async () => market.closedReason(source) === null)

async function until(what: string, deadlineMs: number, isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) {
    if (Date.now() > deadlineMs) throw new Error(`It takes too long until ${what}.`)
    await sleep(50)
  }
}

async function inScene(name: string, play: (scene: Scene) => Promise<AttackLine[]>): Promise<AttackLine[]> {
  return onDatabase(`feed_${name}`, async (_url, db) => {
    const log = createLog('error')
    const clock = await createClock(db, { log })
    const feed = await startFeedServer()
    const settings = { goldFeed: 'swissquote', pythUrl: '', pythApiKey: null, swissquoteUrl: feed.url } as const
    const market = createMarket({ db, clock, log, settings })
    const prices = { ...fixedPrices(() => null), ...market }
    const engine = startRoundEngine({ db, clock, log, prices, hints: noHints })
    try {
      await market.start()
      const placeBet = createBetPlacer({ db, prices, hints: noHints }, encodeBet)
      return await play({ db, market, source: market.liveSource ?? '', feed, placeBet })
    } finally {
      await engine.stop()
      await market.stop()
      clock.stop()
      await feed.stop()
    }
  })
}
