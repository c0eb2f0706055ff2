import { type LiveFeed, onLiveFeed, playLiveRound, type SentBet } from '../live-feed.ts'
import type { BarLine } from '../report.ts'

const LATE_MS = 4_000
/** Milliseconds after the round's start. */
const TURNS_LATE_AT_MS = 8_000
const SPIKE = { fromMs: 8_000, toMs: 12_000 }
/** The last second of the round, whose price would be the exit, falls into this second spike. */
const LAST_SPIKE_FROM_MS = 28_500
/** By then the server has received the next answer of a feed that it polls once a second. */
const HEARD_AFTER_MS = 1_500
/** So near to the round's end, bets may be refused for its lock alone. */
const NEAR_LOCK_MS = 3_500

/**
 * A live feed that lags by 4 s, and one that reports three times the price for a while: which bets are still accepted,
 * and which prices decide them (rules §5).
 */
export async function attackFeed(): Promise<BarLine[]> {
  return [...(await onLiveFeed('late', 'swissquote', comesLate)), ...(await onLiveFeed('spike', 'swissquote', jumps))]
}

async function comesLate(live: LiveFeed): Promise<BarLine[]> {
  const { db, market, source, feed } = live
  let closedAtMs: number | null = null
  const turning = await playRound(live, (sinceMs) => {
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

  const late = await playRound(live, () => {})
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

async function jumps(live: LiveFeed): Promise<BarLine[]> {
  const { db, source, feed } = live
  const { startedAtMs, bets } = await playRound(live, (sinceMs) => {
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

interface PlayedBet extends SentBet {
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

/** Plays a round while the feed misbehaves as given, and reads what became of the bets that could still be taken. */
async function playRound(
  live: LiveFeed,
  weather: (sinceStartMs: number) => void,
): Promise<{ readonly startedAtMs: number; readonly bets: readonly PlayedBet[] }> {
  const { id, startedAtMs, closesAtMs, sent } = await playLiveRound(live, weather)
  const { rows } = await live.db.query<BetRow>(
    'select user_id, void_reason, entry_price, exit_price from bets where round_id = $1',
    [id],
  )
  const byUser = new Map(rows.map((row) => [row.user_id, row]))
  const inTime = sent.filter(({ sentAtMs }) => sentAtMs < closesAtMs - NEAR_LOCK_MS)
  const bets = inTime.map((bet) => {
    const row = byUser.get(bet.userId)
    const prices = [row?.entry_price ?? null, row?.exit_price ?? null]
    return { ...bet, voidReason: row?.void_reason ?? null, decidedBy: prices.filter((price) => price !== null) }
  })
  return { startedAtMs, bets }
}
