import { createHash, hash, randomBytes } from 'node:crypto'
import { pathHash } from '#domain/book/seed-path.ts'
import type { Price } from '#domain/market/prices.ts'
import { DAY_SECONDS, lastSimulatedPrice, type PathHash } from '#domain/market/simulated-path.ts'
import { queueEntries, sha256 } from '#server/features/book/index.ts'
import type { Clock } from '#server/platform/process/clock.ts'
import type { Database, Queryable, Row, Tx } from '#server/platform/database/db.ts'
import { onlyRow } from '#server/platform/database/rows.ts'

/** Number of days ahead whose seeds exist and have public commitments (rules §5.6). */
export const COMMITTED_DAYS_AHEAD = 8
/** Number of days before the install that have prices, so that the chart is full on the first start (rules §5.6). */
export const HISTORY_DAYS = 14
const HISTORY_START_PRICE: Price = 4_000_000

/** The seed of a day before the install may be public: no bet was placed on that day (rules §5.6). */
const publicSeed = (day: number): Buffer =>
  createHash('sha256').update(`Kim Phiên, public history, day ${day}`).digest()

export interface SimulatedDay {
  /** Days since 1970-01-01. */
  readonly day: number
  readonly startPrice: Price
  readonly hash: PathHash
}

export const dayOf = (second: number): number => Math.floor(second / DAY_SECONDS)

interface Bounds {
  readonly lastDay: number | null
  readonly today: number
}

/**
 * Writes the seeds that are missing, from 14 days before the install to 8 days after today (by the database's clock).
 * Several processes may call this at the same time. Returns the last day that has a seed.
 */
export async function ensureSeeds(db: Database): Promise<number> {
  const { lastDay, today } = await readBounds(db)
  if (lastDay !== null && lastDay >= today + COMMITTED_DAYS_AHEAD) return lastDay
  return db.tx(async (tx) => {
    // A day's first price is the last price of the day before, so only one process at a time may add days.
    await tx.query('lock table simulated_seeds in share row exclusive mode')
    return addSeeds(tx, await readBounds(tx))
  })
}

/** Returns a function that calls `ensureSeeds` if, by `clock`, one of the next 8 days may lack its seed. */
export function keepingSeeds(db: Database, clock: Pick<Clock, 'now'>): () => Promise<void> {
  let throughDay = 0
  return async () => {
    if (throughDay < dayOf(clock.now() / 1000) + COMMITTED_DAYS_AHEAD) throughDay = await ensureSeeds(db)
  }
}

const readBounds = async (q: Queryable): Promise<Bounds> =>
  onlyRow(
    await q.query<Bounds & Row>(
      `select max(day) - date '1970-01-01' as "lastDay",
              (clock_timestamp() at time zone 'UTC')::date - date '1970-01-01' as today
         from simulated_seeds`,
    ),
  )

async function addSeeds(tx: Tx, { lastDay, today }: Bounds): Promise<number> {
  const before = lastDay === null ? null : await loadDay(tx, lastDay)
  let day = lastDay === null ? today - HISTORY_DAYS : lastDay + 1
  let startPrice = before === null ? HISTORY_START_PRICE : lastSimulatedPrice(before.hash, before.startPrice)
  const added: { day: number; seed: Buffer; startPrice: Price; isPublic: boolean }[] = []
  for (; day <= today + COMMITTED_DAYS_AHEAD; day++) {
    const isPublic = lastDay === null && day < today
    const seed = isPublic ? publicSeed(day) : randomBytes(32)
    added.push({ day, seed, startPrice, isPublic })
    startPrice = lastSimulatedPrice(pathHash(sha256, seed), startPrice)
  }
  await tx.query(
    `insert into simulated_seeds (day, seed, commitment, start_price, is_public_history)
     select date '1970-01-01' + a.day, a.seed, sha256(a.seed), a.start_price, a.is_public
     from unnest($1::integer[], $2::bytea[], $3::integer[], $4::boolean[]) as a(day, seed, start_price, is_public)`,
    [
      added.map((row) => row.day),
      added.map((row) => row.seed),
      added.map((row) => row.startPrice),
      added.map((row) => row.isPublic),
    ],
  )
  // Days of the public history are not entered in the open book, since they price no round.
  const entries = added
    .filter(({ isPublic }) => !isPublic)
    .map((row) => ({ kind: 'seed', fields: { day: row.day, commitment: hash('sha256', row.seed, 'base64') } }) as const)
  await queueEntries(tx, entries)
  return day - 1
}

/** Returns a day's simulated path. Null if the day has no seed. */
export async function loadDay(q: Queryable, day: number): Promise<SimulatedDay | null> {
  const { rows } = await q.query<{ seed: Uint8Array; start_price: number }>(
    `select seed, start_price from simulated_seeds where day = date '1970-01-01' + $1::integer`,
    [day],
  )
  const row = rows[0]
  return row === undefined ? null : { day, startPrice: row.start_price, hash: pathHash(sha256, row.seed) }
}

export async function firstSimulatedSecond(q: Queryable): Promise<number | null> {
  const { rows } = await q.query<{ day: number | null }>(
    `select min(day) - date '1970-01-01' as day from simulated_seeds`,
  )
  const day = rows[0]?.day ?? null
  return day === null ? null : day * DAY_SECONDS
}
