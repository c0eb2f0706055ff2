import type { Database } from '#server/platform/database/db.ts'
import { FAIR, type FeedWeather, type SentQuote } from '#testing/machines/feed.ts'
import { onLiveFeed, playLiveRound } from '../live-feed.ts'
import { type BarLine, exactly } from '../report.ts'

/** This many markets run at once, each with its own database and feed. */
const AT_ONCE = 10
/** A second is final 400 to 700 ms after it (rules §2.4); a quote sent so near to that may have been late. */
const FINAL_MS = 400
const LATEST_MS = 700
const ON_THE_WAY_MS = 250
/** The limits of rules §2.4 and §5.4. */
const WINDOW_MS = 2_000
const FUTURE_MS = 100
const JUMP = 0.02
/** Two seconds in a row without a price close betting, and each of them is known a second later (rules §5.4). */
const CLOSED_AFTER_S = 3

/** The actions of the feed, by ms since the round's start. */
interface Script {
  readonly name: string
  readonly weather: (sinceMs: number) => Partial<FeedWeather>
  /** A new level of the price that stays is accepted after 5 s of agreeing quotes; before that nothing is decided by it. */
  readonly levelFromMs?: number
}

const between = (fromMs: number, toMs: number, then: Partial<FeedWeather>) => (sinceMs: number) =>
  sinceMs >= fromMs && sinceMs < toMs ? then : {}
const always = (then: Partial<FeedWeather>) => () => then
const every = (ms: number, then: Partial<FeedWeather>) => (sinceMs: number) =>
  Math.floor(sinceMs / ms) % 2 === 1 ? then : {}
const HOUR_MS = 3_600_000
const END = 30_000
const AFTER = END + 5_000
const gap = { gives: 'nothing' } as const

const SCRIPTS: readonly Script[] = [
  { name: 'fair', weather: always({}) },
  { name: 'a gap of 3 s', weather: between(10_000, 13_000, gap) },
  { name: 'a gap of 9 s', weather: between(8_000, 17_000, gap) },
  { name: 'a gap over the end', weather: between(END - 3_500, AFTER, gap) },
  { name: 'a gap from the first second on', weather: between(0, 6_000, gap) },
  { name: 'three times the price for 4 s', weather: between(8_000, 12_000, { factor: 3 }) },
  { name: 'three times the price at the end', weather: between(END - 1_500, AFTER, { factor: 3 }) },
  { name: '3 % less at the end', weather: between(END - 2_500, AFTER, { factor: 0.97 }) },
  { name: '3 % more that stay', weather: between(6_000, AFTER, { factor: 1.03 }), levelFromMs: 6_000 },
  { name: '1.5 % more for 5 s', weather: between(9_000, 14_000, { factor: 1.015 }) },
  { name: 'old by 4 s throughout', weather: always({ lateMs: 4_000 }) },
  { name: 'old by 1.5 s throughout', weather: always({ lateMs: 1_500 }) },
  { name: 'old by an hour from 10 s on', weather: between(10_000, AFTER, { lateMs: HOUR_MS }) },
  { name: 'stamped 5 s ahead for 3 s', weather: between(9_000, 12_000, { lateMs: -5_000 }) },
  { name: 'stamped an hour ahead once', weather: between(12_000, 12_500, { lateMs: -HOUR_MS }) },
  { name: 'stamped 1.2 s ahead at the end', weather: between(END - 3_000, AFTER, { lateMs: -1_200 }) },
  { name: 'each quote twice, with two prices', weather: always({ isDoubled: true }) },
  {
    name: 'one stamp for 6 s',
    weather: (sinceMs) => (sinceMs >= 9_000 && sinceMs < 15_000 ? { stampMs: FROZEN } : {}),
  },
  { name: 'one stamp at the end', weather: (sinceMs) => (sinceMs >= END - 4_000 ? { stampMs: FROZEN } : {}) },
  { name: 'flapping every second', weather: every(1_000, gap) },
  { name: 'flapping every 3 s, by cut connections', weather: every(3_000, { gives: 'cut' }) },
  { name: 'garbage for 5 s', weather: between(10_000, 15_000, { gives: 'garbage' }) },
  {
    name: 'errors, then refusals, at the end',
    weather: (sinceMs) => (sinceMs < END - 5_000 ? {} : { gives: sinceMs < END - 2_000 ? 500 : 401 }),
  },
  { name: 'slow by 350 ms', weather: always({ delayMs: 350 }) },
  { name: 'slow by 1.1 s', weather: always({ delayMs: 1_100 }) },
]
/** Stands for the instant at which the script begins to send this quote. */
const FROZEN = -1

const SOURCES = ['pyth', 'swissquote'] as const
type Source = (typeof SOURCES)[number]

/** A live feed on fifty bad days: which prices decide bets, and which prices the other sockets get. */
export async function feed(isShort: boolean): Promise<BarLine[]> {
  const all = SCRIPTS.flatMap((script) => SOURCES.map((source) => ({ script, source })))
  const chosen = isShort ? all.filter((_, nth) => nth % 7 === 1) : all
  const seen: Seen[] = []
  for (let from = 0; from < chosen.length; from += AT_ONCE)
    seen.push(...(await Promise.all(chosen.slice(from, from + AT_ONCE).map(play))))
  const sum = (of: (one: Seen) => number) => seen.reduce((total, one) => total + of(one), 0)
  for (const { name, settled, voided, refused, faults } of seen) {
    process.stderr.write(`  ${name}: ${settled} settled, ${voided} void, ${refused} refused\n`)
    for (const fault of faults) process.stderr.write(`    ${fault}\n`)
  }
  const what = `${chosen.length} feeds`
  return [
    exactly(
      `${what}, ${sum((one) => one.settled)} bets settled: on a price that the rules forbid`,
      sum((one) => one.forbidden),
      0,
    ),
    exactly(
      `${what}, ${sum((one) => one.voided)} bets void: without a reason that is true`,
      sum((one) => one.unexplained),
      0,
    ),
    exactly(
      `${what}: bets taken ${CLOSED_AFTER_S} s or longer after the first of the seconds without a price`,
      sum((one) => one.unpriced),
      0,
    ),
    exactly(
      `${what}: bets neither settled nor void`,
      sum((one) => one.open),
      0,
    ),
    exactly(
      `${what}: seconds that were written without a price less than ${LATEST_MS} ms after them`,
      sum((one) => one.hasty),
      0,
    ),
  ]
}

interface Seen {
  readonly name: string
  readonly settled: number
  readonly voided: number
  readonly refused: number
  readonly open: number
  readonly forbidden: number
  readonly unexplained: number
  readonly unpriced: number
  readonly hasty: number
  readonly faults: readonly string[]
}

function play({ script, source }: { readonly script: Script; readonly source: Source }): Promise<Seen> {
  return onLiveFeed(`${source}_${SCRIPTS.indexOf(script)}`, source, async (live) => {
    let frozenMs: number | null = null
    const { id, startedAtMs, sent } = await playLiveRound(live, (sinceMs) => {
      const weather = { ...FAIR, ...script.weather(sinceMs) }
      frozenMs = weather.stampMs === FROZEN ? (frozenMs ?? Date.now()) : null
      live.feed.set({ ...weather, stampMs: frozenMs })
    })
    const levelMs = script.levelFromMs === undefined ? null : startedAtMs + script.levelFromMs
    const [bets, ticks] = [await readBets(live.db, id), await readTicks(live.db, live.source)]
    return {
      name: `${source}, ${script.name}`,
      refused: sent.filter(({ wasTaken }) => !wasTaken).length,
      ...judge(bets, ticks, live.feed.sent, levelMs),
    }
  })
}

interface BetRow extends Record<string, unknown> {
  readonly id: string
  readonly status: 'open' | 'won' | 'lost' | 'voided'
  readonly void_reason: string | null
  readonly direction: 'up' | 'down'
  readonly accepted_ms: number
  readonly entry_second: number | null
  readonly entry_price: number | null
  readonly exit_price: number | null
  readonly exit_second: number
}

const readBets = async (db: Database, roundId: string): Promise<BetRow[]> =>
  (
    await db.query<BetRow>(
      `select b.id, b.status, b.void_reason, b.direction, extract(epoch from b.accepted_at)::float8 * 1000 as accepted_ms,
          b.entry_second::float8 as entry_second, b.entry_price::float8 as entry_price, b.exit_price::float8 as exit_price,
          extract(epoch from r.closes_at)::float8 as exit_second
         from bets b join rounds r on r.id = b.round_id where b.round_id = $1`,
      [roundId],
    )
  ).rows

interface Tick {
  readonly price: number | null
  readonly quoteMs: number | null
  /** When its row was written, in ms after its second. */
  readonly writtenAfterMs: number
}

async function readTicks(db: Database, source: string): Promise<ReadonlyMap<number, Tick>> {
  const { rows } = await db.query<{ second: number; price: number | null; quote_ms: number | null; after_ms: number }>(
    `select second::float8 as second, price::float8 as price, extract(epoch from quote_at)::float8 * 1000 as quote_ms,
          extract(epoch from recorded_at - to_timestamp(second))::float8 * 1000 as after_ms
       from ticks where source = $1`,
    [source],
  )
  return new Map(
    rows.map(({ second, price, quote_ms: quoteMs, after_ms: writtenAfterMs }) => [
      second,
      { price, quoteMs, writtenAfterMs },
    ]),
  )
}

/** Compares the outcome with the quotes that the feed has sent, by the rules and not by the product's code. */
function judge(
  bets: readonly BetRow[],
  ticks: ReadonlyMap<number, Tick>,
  sent: readonly SentQuote[],
  levelMs: number | null,
): Omit<Seen, 'name' | 'refused'> {
  const faults: string[] = []
  let [forbidden, unexplained] = [0, 0]
  for (const bet of bets) {
    if (bet.status === 'open') continue
    const fault = bet.status === 'voided' ? faultOfVoid(bet, ticks) : faultOfSettled(bet, sent, levelMs)
    if (fault === null) continue
    if (bet.status === 'voided') unexplained++
    else forbidden++
    faults.push(`${bet.id}: ${fault}`)
  }
  const count = (...statuses: ReadonlyArray<BetRow['status']>) =>
    bets.filter(({ status }) => statuses.includes(status)).length
  const unpriced = bets.filter((bet) => wasTakenUnpriced(bet, ticks)).length
  const hasty = [...ticks.values()].filter(
    ({ price, writtenAfterMs }) => price === null && writtenAfterMs < LATEST_MS,
  ).length
  return {
    ...{ settled: count('won', 'lost'), voided: count('voided'), open: count('open') },
    ...{ forbidden, unexplained, unpriced, hasty, faults },
  }
}

function faultOfSettled(bet: BetRow, sent: readonly SentQuote[], levelMs: number | null): string | null {
  const { entry_second: entryS, entry_price: entry, exit_price: exit, exit_second: exitS } = bet
  if (entryS === null || entry === null || exit === null) return 'settled without its prices'
  if (entryS >= exitS) return `the entry ${entryS} is not before the exit ${exitS}`
  const hasWon = exit === entry ? null : exit > entry === (bet.direction === 'up')
  if (hasWon !== (bet.status === 'won')) return `${bet.status} by ${entry} and ${exit}, ${bet.direction}`
  return (
    faultOfPrice('entry', entryS, entry, sent, levelMs, bet.accepted_ms) ??
    faultOfPrice('exit', exitS, exit, sent, levelMs, Number.NEGATIVE_INFINITY)
  )
}

function faultOfPrice(
  what: string,
  second: number,
  price: number,
  sent: readonly SentQuote[],
  levelMs: number | null,
  youngerThanMs: number,
): string | null {
  const tMs = second * 1000
  const inWindow = sent.filter(
    ({ stampMs, leftMs }) => stampMs > tMs - WINDOW_MS && stampMs <= tMs && leftMs <= tMs + LATEST_MS,
  )
  const own = inWindow.filter((quote) => quote.price === price && quote.stampMs > youngerThanMs)
  if (own.length === 0) return `${what} ${price} at ${second}: no such quote was sent in time for that second`
  const mayDecide = own.filter(({ stampMs, leftMs, factor }) => {
    const isLevel = levelMs !== null && stampMs >= levelMs + 4_000
    return stampMs <= leftMs + FUTURE_MS && (Math.abs(factor - 1) <= JUMP || isLevel)
  })
  if (mayDecide.length === 0) return `${what} ${price} at ${second}: held back or stamped ahead`
  const stampMs = Math.max(...mayDecide.map((quote) => quote.stampMs))
  const newer = inWindow.find(
    (quote) =>
      quote.stampMs > stampMs &&
      quote.leftMs <= tMs + FINAL_MS - ON_THE_WAY_MS &&
      quote.stampMs <= quote.leftMs &&
      Math.abs(quote.factor - 1) <= JUMP,
  )
  return newer === undefined ? null : `${what} ${price} at ${second}: ${newer.price} is newer`
}

/** Whether no second had a price from that long before it on. */
function wasTakenUnpriced({ accepted_ms: acceptedMs }: BetRow, ticks: ReadonlyMap<number, Tick>): boolean {
  const takenAtS = Math.floor(acceptedMs / 1000)
  return Array.from({ length: CLOSED_AFTER_S + 1 }, (_, back) => ticks.get(takenAtS - back)).every(
    (tick) => tick?.price === null,
  )
}

/** Judges by the ticks that everybody can read. */
function faultOfVoid(bet: BetRow, ticks: ReadonlyMap<number, Tick>): string | null {
  const { exit_second: exitS, accepted_ms: acceptedMs } = bet
  const exit = ticks.get(exitS)?.price ?? null
  let entry: number | null = null
  for (let second = Math.floor(acceptedMs / 1000) + 1; second < exitS && entry === null; second++) {
    const tick = ticks.get(second)
    if (tick?.price != null && (tick.quoteMs ?? 0) > acceptedMs) entry = tick.price
  }
  if (bet.void_reason === 'NO_TICK')
    return entry === null || exit === null ? null : `NO_TICK, though ${entry} and ${exit}`
  if (bet.void_reason === 'TIE') return entry !== null && entry === exit ? null : `TIE of ${entry} and ${exit}`
  return `void for ${bet.void_reason}`
}
