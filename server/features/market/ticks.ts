import type { CandleMinutes } from '#domain/market/candles.ts'
import type { Price } from '#domain/market/prices.ts'
import { DAY_SECONDS, simulatedPrices } from '#domain/market/simulated-path.ts'
import { type PriceSource, SIMULATED } from '#domain/market/sources.ts'
import { type Quote, type Tick, TICK_MISSING_AFTER_MS } from '#domain/market/tick.ts'
import type { Queryable, Row } from '#server/platform/database/db.ts'
import { listPartitions } from '#server/platform/database/partitions.ts'
import { msSql } from '#server/platform/database/rows.ts'
import { dayOf, loadDay } from './seeds.ts'

export interface SignedQuote extends Quote {
  readonly evidence: Uint8Array | null
}

const TICK = `t.source, t.second::float8 as second, t.price, ${msSql('t.quote_at')} as "quoteAtMs"`

/**
 * SQL for the ticks whose second has come by the database's clock; later ticks may exist after that clock was set back,
 * and must not be shown (rules §2.1). The subquery reads the clock once per statement, so that the index can be used.
 */
export const TICKS_SO_FAR = `(select source, second, price, quote_at from ticks
  where second <= (select floor(extract(epoch from clock_timestamp()))::bigint))`

/**
 * SQL condition: a tick of a second after an instant is stored. The price of that tick may then be public (rules §2.1).
 * @param source SQL of the price source
 * @param at SQL of the instant
 */
export const hasTickAfterSql = (source: string, at: string): string =>
  // Compares the newest second, since PostgreSQL may plan an EXISTS over a range as a scan of the whole table.
  `coalesce((select newest.second from ticks newest where newest.source = ${source} order by newest.second desc limit 1)
    > floor(extract(epoch from ${at})), false)`

/**
 * SQL condition: the tick of a second is stored, so its price may be public, even if the clock was set back since.
 * @param source SQL of the price source
 * @param at SQL of the instant at which the second begins
 */
export const hasTickAtSql = (source: string, at: string): string =>
  `exists (select 1 from ticks told where told.source = ${source} and told.second = extract(epoch from ${at})::bigint)`

/** Makes a function that reads the ticks of the seconds fromSecond … toSecond, both included, ascending. */
const ticksFrom =
  (table: string) => async (q: Queryable, source: PriceSource, fromSecond: number, toSecond: number) => {
    const { rows } = await q.query<Tick & Row>(
      `select ${TICK} from ${table} t
        where t.source = $1 and t.second between $2::bigint and $3::bigint order by t.second`,
      [source, fromSecond, toSecond],
    )
    return rows
  }
export const readTicks = ticksFrom(TICKS_SO_FAR)

/** Includes ticks of future seconds, which may exist after the clock was set back. Only settlement may use these. */
const readStoredTicks = ticksFrom('ticks')

/**
 * Computes the simulated prices of the seconds fromSecond … toSecond, both included. A price must not leave the process
 * before its second.
 * @throws RangeError if a day has no seed
 */
export async function simulatedRange(q: Queryable, fromSecond: number, toSecond: number): Promise<Int32Array> {
  const prices = new Int32Array(Math.max(0, toSecond - fromSecond + 1))
  for (let day = dayOf(fromSecond); day <= dayOf(toSecond); day++) {
    const path = await loadDay(q, day)
    if (path === null) throw new RangeError(`Day ${day} has no simulated path`)
    const first = Math.max(fromSecond, day * DAY_SECONDS)
    const last = Math.min(toSecond, (day + 1) * DAY_SECONDS - 1)
    const part = simulatedPrices(path.hash, path.startPrice, first - day * DAY_SECONDS, last + 1 - day * DAY_SECONDS)
    prices.set(part, first - fromSecond)
  }
  return prices
}

/** Inserts simulated ticks, except those of seconds that lie in the future by the database's clock. */
export async function insertSimulated(
  q: Queryable,
  ticks: readonly { readonly second: number; readonly price: Price }[],
): Promise<Tick[]> {
  const { rows } = await q.query<Tick & Row>(
    `insert into ticks as t (source, second, price, quote_at)
     select '${SIMULATED}', s.second, s.price, to_timestamp(s.second)
     from unnest($1::bigint[], $2::integer[]) as s(second, price)
     where to_timestamp(s.second) <= clock_timestamp() order by s.second
     on conflict do nothing returning ${TICK}`,
    [ticks.map((tick) => tick.second), ticks.map((tick) => tick.price)],
    { name: 'insert_simulated_ticks' },
  )
  return rows
}

/**
 * Stores a live tick and its evidence, if any. Returns null if the second has a row already, has not come by the
 * database's clock, or came 700 ms ago or more: then a tick without a price is due (rules §2.4).
 */
export async function insertLive(
  q: Queryable,
  source: PriceSource,
  second: number,
  quote: Quote,
  evidence: Uint8Array | null,
): Promise<Tick | null> {
  const { rows } = await q.query<Tick & Row>(
    `with tick as (
       insert into ticks (source, second, price, quote_at)
       select $1::text, $2::bigint, $3::integer, $4::timestamptz
       where clock_timestamp() >= to_timestamp($2::bigint)
         and clock_timestamp() < to_timestamp($2::bigint) + interval '${TICK_MISSING_AFTER_MS} milliseconds'
       on conflict do nothing returning source, second, price, quote_at
     ), kept as (
       insert into tick_evidence (source, second, evidence)
       select source, second, $5::bytea from tick where $5::bytea is not null on conflict do nothing
     )
     select ${TICK} from tick t`,
    [source, second, quote.price, new Date(quote.atMs), evidence],
    { name: 'insert_live_tick' },
  )
  return rows[0] ?? null
}

/**
 * Writes a missing tick, which has no price, for each second of the range that began at least 700 ms ago and has no row
 * (rules §2.4).
 */
export async function insertMissing(
  q: Queryable,
  source: PriceSource,
  fromSecond: number,
  toSecond: number,
): Promise<void> {
  await q.query(
    `insert into ticks (source, second)
     select $1::text, s.second from generate_series($2::bigint, $3::bigint) as s(second)
     where to_timestamp(s.second) + interval '${TICK_MISSING_AFTER_MS} milliseconds' <= clock_timestamp()
     on conflict do nothing`,
    [source, fromSecond, toSecond],
    { name: 'insert_missing_ticks' },
  )
}

export interface TickRange {
  /** Ascending, one tick for each second that has a row. */
  readonly ticks: Tick[]
  /** False while a second of the range has no row. Nothing may be decided then (rules §2.4). */
  readonly isComplete: boolean
}

/**
 * Returns the ticks of the seconds fromSecond … toSecond, both included. First writes the missing rows of past seconds:
 * simulated ticks, or missing ticks of a live source. If the ticks of `fromSecond` are detached, writes nothing.
 *
 * After the clock was set back, the result may have ticks of seconds that now lie in the future: clients must not get
 * them. Call this outside of transactions, because a long transaction would block other writers of the same seconds.
 * @param mayWrite false while the clock is unsure: nothing is written then
 */
export async function ensureTicks(
  q: Queryable,
  source: PriceSource,
  fromSecond: number,
  toSecond: number,
  mayWrite = true,
): Promise<TickRange> {
  const wanted = toSecond - fromSecond + 1
  const stored = await readStoredTicks(q, source, fromSecond, toSecond)
  if (stored.length >= wanted) return { ticks: stored, isComplete: true }
  if (!mayWrite || (await isDetached(q, fromSecond))) return { ticks: stored, isComplete: false }
  if (source === SIMULATED) {
    const prices = await simulatedRange(q, fromSecond, toSecond)
    const known = new Set(stored.map((tick) => tick.second))
    const computed = Array.from(prices, (price, index) => ({ second: fromSecond + index, price }))
    const missing = computed.filter(({ second }) => !known.has(second))
    await insertSimulated(q, missing)
  } else await insertMissing(q, source, fromSecond, toSecond)
  const ticks = await readStoredTicks(q, source, fromSecond, toSecond)
  return { ticks, isComplete: ticks.length >= wanted }
}

/** Returns whether a second lies before the oldest partition of `ticks`: then no row can be written for it. */
async function isDetached(q: Queryable, second: number): Promise<boolean> {
  const starts = (await listPartitions(q, 'ticks'))[0]?.starts ?? null
  return starts !== null && second * 1000 < starts.getTime()
}

const tickSecond =
  (order: 'asc' | 'desc') =>
  async (q: Queryable, source: PriceSource): Promise<number | null> => {
    const { rows } = await q.query<{ second: number }>(
      `select t.second::float8 as second from ${TICKS_SO_FAR} t where t.source = $1 order by t.second ${order} limit 1`,
      [source],
    )
    return rows[0]?.second ?? null
  }

/** This function and `firstTickSecond` return null if the source has no tick so far. */
export const lastTickSecond = tickSecond('desc')
export const firstTickSecond = tickSecond('asc')

const NEWEST_TICKS = 60

/**
 * Returns the newest 60 ticks of a source up to and including `throughSecond`, ascending. If none of these has a price,
 * they are preceded by the newest tick after `fromSecond` that has a price.
 */
export async function readNewestTicks(
  q: Queryable,
  source: PriceSource,
  throughSecond: number,
  fromSecond: number,
): Promise<Tick[]> {
  const { rows } = await q.query<Tick & Row>(
    `select ${TICK} from (
       (select * from ${TICKS_SO_FAR} s where source = $1 and second <= $2::bigint
         order by second desc limit ${NEWEST_TICKS})
       union
       (select * from ${TICKS_SO_FAR} s
         where source = $1 and second <= $2::bigint and second > $3::bigint and price is not null
         order by second desc limit 1)) t
      order by t.second`,
    [source, throughSecond, fromSecond],
  )
  return rows
}

/**
 * Returns the second of a source's oldest tick or, if earlier, the second at which its oldest candle opens: candles
 * stay when their ticks are detached. Null if there is neither.
 */
export async function firstKnownSecond(q: Queryable, source: PriceSource): Promise<number | null> {
  const { rows } = await q.query<{ second: number | null }>(
    `select least(
       (select second from ${TICKS_SO_FAR} t where source = $1 order by second limit 1),
       (select opened_at from candles where source = $1 and minutes = 1 and open is not null
         order by opened_at limit 1))::float8 as second`,
    [source],
  )
  return rows[0]?.second ?? null
}

export async function oldestSeconds(q: Queryable): Promise<Map<PriceSource, number>> {
  const { rows } = await q.query<{ source: PriceSource; second: number }>(
    `with recursive sources (source) as (
       (select source from ticks order by source limit 1)
       union all
       select (select t.source from ticks t where t.source > s.source order by t.source limit 1) from sources s where s.source is not null)
     select s.source, t.second::float8 as second
       from sources s cross join lateral (select second from ticks where source = s.source order by second limit 1) t`,
  )
  return new Map(rows.map(({ source, second }) => [source, second]))
}

/**
 * Folds the ticks of [fromSecond, toSecond) into candles and stores these, even if seconds have no rows.
 * @param fromSecond a multiple of the candle's length, as is `toSecond`
 */
export async function foldStored(
  q: Queryable,
  source: PriceSource,
  minutes: CandleMinutes,
  fromSecond: number,
  toSecond: number,
): Promise<void> {
  await q.query(
    `insert into candles (source, minutes, opened_at, open, high, low, close)
     select $1::text, $2::smallint, second - second % ($2::smallint * 60),
         (array_agg(price order by second) filter (where price is not null))[1], max(price), min(price),
         (array_agg(price order by second desc) filter (where price is not null))[1]
       from ticks where source = $1 and second >= $3::bigint and second < $4::bigint
      group by 3 on conflict do nothing`,
    [source, minutes, fromSecond, toSecond],
  )
}

/** Reads the provider's signed bytes of a tick. Null if none are stored, or if the tick's second has not come. */
export async function readEvidence(q: Queryable, source: PriceSource, second: number): Promise<Uint8Array | null> {
  const { rows } = await q.query<{ evidence: Uint8Array }>(
    // Does not join `ticks`, because the evidence stays when its tick is detached.
    `select evidence from tick_evidence
      where source = $1 and second = $2::bigint and to_timestamp(second) <= clock_timestamp()`,
    [source, second],
  )
  return rows[0]?.evidence ?? null
}

/** Returns those of `seconds` whose ticks have stored signed bytes, ascending, each with the SHA-256 of these bytes. */
export async function readEvidenceHashes(q: Queryable, source: PriceSource, seconds: readonly number[]) {
  const { rows } = await q.query<{ second: number; hash: Uint8Array }>(
    `select e.second::float8 as second, sha256(e.evidence) as hash from tick_evidence e
      where e.source = $1 and e.second = any($2::bigint[]) order by e.second`,
    [source, seconds],
  )
  return rows
}

/** Stores a quote's evidence only if the stored tick is of this quote, not of another process's quote. */
export async function insertEvidence(
  q: Queryable,
  source: PriceSource,
  second: number,
  quote: SignedQuote,
): Promise<void> {
  if (quote.evidence === null) return
  await q.query(
    `insert into tick_evidence (source, second, evidence)
     select source, second, $5::bytea from ticks
     where source = $1 and second = $2::bigint and price = $3::integer and quote_at = $4::timestamptz
     on conflict do nothing`,
    [source, second, quote.price, new Date(quote.atMs), quote.evidence],
  )
}
