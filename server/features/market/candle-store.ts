import { type Candle, candleOpening, type CandleMinutes, extendCandle, foldCandles } from '#domain/market/candles.ts'
import type { Price } from '#domain/market/prices.ts'
import { type PriceSource, SIMULATED } from '#domain/market/sources.ts'
import type { Database, Row } from '#server/platform/database/db.ts'
import { readNowMs } from '#server/platform/database/now.ts'
import { createTurns } from '#server/platform/process/turns.ts'
import { firstSimulatedSecond } from './seeds.ts'
import { firstKnownSecond, firstTickSecond, lastTickSecond, simulatedRange, TICKS_SO_FAR } from './ticks.ts'

/** The largest number of seconds that are folded into candles before the event loop may do other work. */
const CHUNK_SECONDS = 3_600

export type CandleStore = ReturnType<typeof createCandleStore>

interface Series {
  readonly db: Database
  readonly source: PriceSource
  readonly minutes: CandleMinutes
}

interface Running {
  readonly openedAt: number
  readonly throughSecond: number
  readonly candle: Candle | null
}

interface Closed {
  readonly openedAt: number
  readonly candle: Candle | null
}

interface PriceOfSecond {
  readonly second: number
  readonly price: Price | null
}

/**
 * Creates the store of candles, which are folded from the ticks that settle rounds (rules §5.7). Simulated candles are
 * computed from the simulated path, which has the same prices as the simulated ticks.
 * @param knownThrough returns the last second whose tick this process knows; null if it knows no tick of the source
 * @param signal ends long reads with an error when it aborts
 */
// oxlint-disable-next-line max-lines-per-function -- parts over one state (decision 036)
export function createCandleStore(
  db: Database,
  knownThrough: (source: PriceSource) => number | null,
  signal?: AbortSignal,
) {
  const running = new Map<string, Running>()
  const firstSeconds = new Map<PriceSource, number>()
  const turns = createTurns(1, Number.POSITIVE_INFINITY)

  async function firstSecond(source: PriceSource): Promise<number | null> {
    const known = firstSeconds.get(source)
    if (known !== undefined) return known
    const first = source === SIMULATED ? await firstSimulatedSecond(db) : await firstKnownSecond(db, source)
    if (first !== null) firstSeconds.set(source, first)
    return first
  }

  async function readRunning(
    series: Series,
    openedAt: number,
    throughSecond: number,
    nowSecond: number,
  ): Promise<Candle | null> {
    const key = `${series.source} ${series.minutes}`
    const known = running.get(key)
    // After the clock was set back, a cached candle may include seconds that are still to come, so it is folded anew.
    const isSame = known?.openedAt === openedAt && known.throughSecond <= nowSecond
    if (isSame && known.throughSecond >= throughSecond) return known.candle
    let candle = isSame ? known.candle : null
    for (const { price } of await prices(series, isSame ? known.throughSecond + 1 : openedAt, throughSecond))
      if (price !== null) candle = extendCandle(candle, openedAt, price)
    running.set(key, { openedAt, throughSecond, candle })
    return candle
  }

  /** Returns candles that open in [fromSecond, toSecond), ascending. The newest candle may still be running. */
  async function read(
    source: PriceSource,
    minutes: CandleMinutes,
    fromSecond: number,
    toSecond: number,
  ): Promise<Candle[]> {
    const series: Series = { db, source, minutes }
    const length = minutes * 60
    const [first, last, nowMs] = await Promise.all([
      firstSecond(source),
      knownThrough(source) ?? lastTickSecond(db, source),
      readNowMs(db),
    ])
    if (first === null || last === null) return []
    const nowSecond = Math.floor(nowMs / 1000)
    const known = Math.min(last, nowSecond)
    const from = Math.max(candleOpening(fromSecond + length - 1, minutes), candleOpening(first, minutes))
    const runningFrom = candleOpening(known + 1, minutes)
    const closedTo = Math.min(toSecond, runningFrom)
    const openings = Array.from(
      { length: Math.max(0, Math.ceil((closedTo - from) / length)) },
      (_, i) => from + i * length,
    )
    const missingOf = (closed: readonly Closed[]): number[] => {
      const kept = new Set(closed.map(({ openedAt }) => openedAt))
      return openings.filter((openedAt) => !kept.has(openedAt))
    }
    let closed = await readClosed(series, from, closedTo)
    if (missingOf(closed).length > 0)
      await turns.run(`${source} ${minutes}`, async () => {
        const kept = await readClosed(series, from, closedTo)
        closed = [...kept, ...(await fold(series, missingOf(kept), signal))]
      })
    const candles = closed.flatMap(({ candle }) => candle ?? []).toSorted((a, b) => a.openedAt - b.openedAt)
    if (runningFrom < from || runningFrom >= toSecond || runningFrom > known) return candles
    const newest = await turns.run(`${source} ${minutes} running`, () =>
      readRunning(series, runningFrom, known, nowSecond),
    )
    return newest === null ? candles : [...candles, newest]
  }

  return { read }
}

async function prices({ db, source }: Series, fromSecond: number, toSecond: number): Promise<PriceOfSecond[]> {
  if (source === SIMULATED) {
    const path = await simulatedRange(db, fromSecond, toSecond)
    return Array.from(path, (price, index) => ({ second: fromSecond + index, price }))
  }
  const { rows } = await db.query<PriceOfSecond & Row>(
    `select t.second::float8 as second, t.price from ${TICKS_SO_FAR} t
     where t.source = $1 and t.second between $2::bigint and $3::bigint order by t.second`,
    [source, fromSecond, toSecond],
  )
  return rows
}

const PRICES = ['open', 'high', 'low', 'close'] as const

async function readClosed({ db, source, minutes }: Series, from: number, to: number): Promise<Closed[]> {
  const { rows } = await db.query<{ opened_at: bigint } & Record<(typeof PRICES)[number], number | null>>(
    `select opened_at, open, high, low, close from candles
     where source = $1 and minutes = $2::smallint and opened_at >= $3::bigint and opened_at < $4::bigint`,
    [source, minutes, from, to],
  )
  return rows.map(({ opened_at, open, high, low, close }) => {
    const openedAt = Number(opened_at)
    const isEmpty = open === null || high === null || low === null || close === null
    return { openedAt, candle: isEmpty ? null : { openedAt, open, high, low, close } }
  })
}

async function keepClosed({ db, source, minutes }: Series, closed: readonly Closed[]): Promise<void> {
  await db.query(
    `insert into candles (source, minutes, opened_at, open, high, low, close)
     select $1::text, $2::smallint, c.opened_at, c.open, c.high, c.low, c.close
     from unnest($3::bigint[], $4::integer[], $5::integer[], $6::integer[], $7::integer[])
       as c(opened_at, open, high, low, close)
     on conflict do nothing`,
    [
      ...[source, minutes, closed.map(({ openedAt }) => openedAt)],
      ...PRICES.map((name) => closed.map(({ candle }) => candle?.[name] ?? null)),
    ],
  )
}

/**
 * Folds `count` candles from second `first` on, and stores those candles for which every second has a row in `ticks`.
 * Seconds before the source's first tick need no row.
 */
async function foldChunk(series: Series, first: number, count: number, firstTick: number): Promise<Closed[]> {
  const { minutes } = series
  const length = minutes * 60
  const ticks = await prices(series, first, first + count * length - 1)
  const candles = new Map(foldCandles(ticks, minutes).map((candle) => [candle.openedAt, candle]))
  const seconds = new Map<number, number>()
  for (const { second } of ticks) {
    const openedAt = candleOpening(second, minutes)
    seconds.set(openedAt, (seconds.get(openedAt) ?? 0) + 1)
  }
  const folded = Array.from({ length: count }, (_, index) => {
    const openedAt = first + index * length
    return { openedAt, candle: candles.get(openedAt) ?? null }
  })
  const complete = folded.filter(({ openedAt }) => {
    const rows = seconds.get(openedAt)
    return rows !== undefined && rows >= length - Math.max(0, firstTick - openedAt)
  })
  if (complete.length > 0) await keepClosed(series, complete)
  return folded
}

async function fold(series: Series, openings: readonly number[], signal?: AbortSignal): Promise<Closed[]> {
  const length = series.minutes * 60
  const firstTick = series.source === SIMULATED ? 0 : ((await firstTickSecond(series.db, series.source)) ?? 0)
  const folded: Closed[] = []
  for (let index = 0; index < openings.length;) {
    signal?.throwIfAborted()
    const first = openings[index] as number
    let count = 1
    while ((count + 1) * length <= CHUNK_SECONDS && openings[index + count] === first + count * length) count++
    folded.push(...(await foldChunk(series, first, count, firstTick)))
    index += count
    await new Promise(setImmediate)
  }
  return folded
}
