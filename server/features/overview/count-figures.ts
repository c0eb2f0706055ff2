import { setTimeout as sleep } from 'node:timers/promises'
import { dayOf } from '#domain/day.ts'
import { BLOCK_MS } from '#domain/overview/chance.ts'
import type { Database, Queryable, Row, Tx } from '#server/platform/database/db.ts'
import type { Logger } from '#server/platform/process/log.ts'
import { readNowMs } from '#server/platform/database/now.ts'
import { msSql } from '#server/platform/database/rows.ts'
import { logging, repeating, type Stop } from '#server/platform/process/jobs.ts'
import { retrying } from '#server/platform/process/retrying.ts'
import { type BetFacts, HOUR_MS, hourOf, type OtherFacts, readBetFacts, readOtherFacts } from './figure-facts.ts'

const LOOK_EVERY_MS = 15_000
/** A block of time (`BLOCK_MS`) is counted this long after its end; `checkHour` counts bets that committed later. */
const REST_MS = 60_000
const CHECK_AFTER_MS = HOUR_MS
/** Pause between two transactions, so that other queries get the only connection of the embedded engine. */
const PAUSE_MS = 5

/** All events in [fromMs, beforeMs), Unix ms, are counted already. `isWhole`: there are no events before `fromMs`. */
interface Marks {
  readonly fromMs: number
  readonly beforeMs: number
  readonly isWhole: boolean
  readonly checkedBeforeMs: number
}

/** Thrown, in place of a wait, if another process has locked the marks. */
class Busy extends Error {}

/** Locks and returns the marks; null if nothing was ever counted. Throws `Busy` if another process has locked them. */
async function lockMarks(tx: Tx): Promise<Marks | null> {
  const { rows } = await tx.query<(Marks | { readonly fromMs: null }) & Row>(
    `select ${msSql('counted_from')} as "fromMs", ${msSql('counted_before')} as "beforeMs", is_whole as "isWhole",
            ${msSql('checked_before')} as "checkedBeforeMs" from figure_marks for update skip locked`,
  )
  const marks = rows[0]
  if (marks === undefined) throw new Busy()
  return marks.fromMs === null ? null : marks
}

/**
 * Counts the events that are due (rules §6.13): first those after the counted range, then those before the range. Then
 * counts finished hours a second time. Several processes may run this, and each may be killed at any point: counts and
 * marks are written by one transaction, which locks the marks.
 * @param isStopping is called between two transactions
 * @returns false if this call was stopped, or if another process has locked the marks
 */
export async function countFigures(db: Database, isStopping: () => boolean = () => false): Promise<boolean> {
  try {
    for (const step of [begin, countNext, countBack, checkHour]) {
      while (!isStopping() && (await retrying(db, step))) await sleep(PAUSE_MS, undefined, { ref: false })
    }
    return !isStopping()
  } catch (error) {
    if (error instanceof Busy) return false
    throw error
  }
}

/** Sets the marks if nothing was counted yet. Returns false: unlike the other steps, this step needs no repetition. */
async function begin(tx: Tx): Promise<boolean> {
  if ((await lockMarks(tx)) !== null) return false
  const nowMs = await readNowMs(tx)
  const openFromMs = await firstOpenMs(tx)
  const untilMs = Math.min(nowMs - REST_MS, openFromMs ?? nowMs)
  const at = new Date(untilMs - (untilMs % BLOCK_MS))
  await tx.query(`update figure_marks set counted_from = $1, counted_before = $1, checked_before = $2`, [
    at,
    new Date(hourOf(at.getTime())),
  ])
  return false
}

async function firstOpenMs(q: Queryable): Promise<number | null> {
  const { rows } = await q.query<{ at: Date | null }>(`select min(accepted_at) as at from bets where status = 'open'`)
  return rows[0]?.at?.getTime() ?? null
}

async function countNext(tx: Tx): Promise<boolean> {
  const marks = await lockMarks(tx)
  if (marks === null) return false
  const toMs = marks.beforeMs + BLOCK_MS
  if (!(await isSettledBefore(tx, toMs, REST_MS))) return false
  await count(tx, marks.beforeMs, toMs)
  await tx.query(`update figure_marks set counted_before = $1`, [new Date(toMs)])
  return true
}

async function isSettledBefore(tx: Tx, endMs: number, restMs: number): Promise<boolean> {
  if ((await readNowMs(tx)) < endMs + restMs) return false
  const openFromMs = await firstOpenMs(tx)
  return openFromMs === null || openFromMs >= endMs
}

async function countBack(tx: Tx): Promise<boolean> {
  const marks = await lockMarks(tx)
  if (marks === null || marks.isWhole) return false
  const { rows } = await tx.query<{ at: Date | null }>(
    `select least((select min(created_at) from users where deleted_at is null),
                  (select min(created_at) from users where deleted_at is not null),
                  (select min(opens_at) from rounds), (select min(created_at) from cash_requests)) as at`,
  )
  const firstMs = rows[0]?.at?.getTime() ?? null
  if (firstMs === null || firstMs >= marks.fromMs) {
    await tx.query(`update figure_marks set is_whole = true`)
    return false
  }
  const fromMs = marks.fromMs - BLOCK_MS
  await count(tx, fromMs, marks.fromMs)
  await tx.query(`update figure_marks set counted_from = $1`, [new Date(fromMs)])
  return true
}

/**
 * Counts the next finished hour a second time: a transaction may have committed long after its block was counted, or a
 * clock may have been set back. Bets are counted again only if their number is not the one that was counted.
 */
async function checkHour(tx: Tx): Promise<boolean> {
  const marks = await lockMarks(tx)
  if (marks === null) return false
  const fromMs = marks.checkedBeforeMs
  const toMs = fromMs + HOUR_MS
  if (toMs > marks.beforeMs || (fromMs < marks.fromMs && !marks.isWhole)) return false
  if (!(await isSettledBefore(tx, toMs, CHECK_AFTER_MS))) return false
  const hour = [new Date(fromMs)]
  const { rows } = await tx.query<{ is_same: boolean }>(
    `select (select count(*) from bets where accepted_at >= $1 and accepted_at < $1::timestamptz + interval '1 hour')
          = (select coalesce(sum(bets + left_out), 0) from figure_bets where hour = $1) as is_same`,
    hour,
  )
  if (rows[0]?.is_same !== true) {
    await tx.query(`delete from figure_bets where hour = $1`, hour)
    await tx.query(`update figure_hours set variance = 0 where hour = $1`, hour)
    await writeBets(tx, await readBetFacts(tx, fromMs, toMs), fromMs, toMs)
  }
  await tx.query(`delete from figure_requests where hour = $1`, hour)
  await tx.query(`delete from figure_waits where hour = $1`, hour)
  await tx.query(`update figure_hours set accounts = 0 where hour = $1`, hour)
  await writeOthers(tx, await readOtherFacts(tx, fromMs, toMs))
  await tx.query(`update figure_marks set checked_before = $1`, [new Date(toMs)])
  return true
}

/** @param toMs lies within the same hour as `fromMs`, or is the end of that hour */
async function count(tx: Tx, fromMs: number, toMs: number): Promise<void> {
  await writeBets(tx, await readBetFacts(tx, fromMs, toMs), fromMs, toMs)
  await writeOthers(tx, await readOtherFacts(tx, fromMs, toMs))
}

/** Returns an array for each of the named columns, as `unnest` takes them. */
const columnsOf = <Row, Name extends keyof Row>(rows: readonly Row[], names: readonly Name[]) =>
  names.map((name) => rows.map((row) => row[name]))
const dates = (rows: readonly { readonly hourMs: number }[]): Date[] => rows.map(({ hourMs }) => new Date(hourMs))

async function writeBets(tx: Tx, { bets, variances }: BetFacts, fromMs: number, toMs: number): Promise<void> {
  if (bets.length === 0) return
  await tx.query(
    `insert into figure_bets as f
     select * from unnest($1::timestamptz[], $2::text[], $3::integer[], $4::bigint[], $5::integer[], $6::bigint[],
       $7::integer[], $8::integer[], $9::integer[], $10::integer[])
     on conflict (hour, type) do update set bets = f.bets + excluded.bets, staked = f.staked + excluded.staked,
       decided = f.decided + excluded.decided, net = f.net + excluded.net, tie = f.tie + excluded.tie,
       no_tick = f.no_tick + excluded.no_tick, round_deleted = f.round_deleted + excluded.round_deleted,
       left_out = f.left_out + excluded.left_out`,
    [
      dates(bets),
      ...columnsOf(bets, ['type', 'bets', 'stakedMinor', 'decided', 'netMinor', 'tie', 'noTick']),
      ...columnsOf(bets, ['roundDeleted', 'leftOut']),
    ],
  )
  const values = variances.map(({ variance }) => variance)
  await addToHours(tx, 'variance', dates(variances), values)
  const hourMs = hourOf(fromMs)
  const day = dayOf(hourMs)
  const bit = (hourMs / HOUR_MS + 7) % 24
  await tx.query(
    `insert into figure_players as p (day, user_id, hours)
     select distinct $3::date, user_id, 1 << $4::integer from bets
      where accepted_at >= $1 and accepted_at < $2 and basis = 'PRICE'
     on conflict (day, user_id) do update set hours = p.hours | excluded.hours
      where p.hours & excluded.hours = 0`,
    [new Date(fromMs), new Date(toMs), day, bit],
  )
  const { rows } = await tx.query<{ of_day: number; of_hour: number }>(
    `select count(*)::integer as of_day, (count(*) filter (where hours & (1 << $2::integer) <> 0))::integer as of_hour
       from figure_players where day = $1::date`,
    [day, bit],
  )
  const active = rows[0]
  if (active === undefined) return
  await tx.query(
    `insert into figure_days (day, active) values ($1::date, $2) on conflict (day) do update set active = excluded.active`,
    [day, active.of_day],
  )
  await tx.query(
    `insert into figure_hours (hour, variance, active, accounts) values ($1, 0, $2, 0)
     on conflict (hour) do update set active = excluded.active`,
    [new Date(hourMs), active.of_hour],
  )
}

async function addToHours(tx: Tx, column: 'variance' | 'accounts', hours: readonly Date[], values: readonly number[]) {
  if (hours.length === 0) return
  const [variance, accounts] = column === 'variance' ? ['v', '0'] : ['0', 'v']
  await tx.query(
    `insert into figure_hours as f (hour, variance, active, accounts)
     select h, ${variance}, 0, ${accounts} from unnest($1::timestamptz[], $2::double precision[]) as t (h, v)
     on conflict (hour) do update set ${column} = f.${column} + excluded.${column}`,
    [hours, values],
  )
}

async function writeOthers(tx: Tx, { accounts, requests, waits }: OtherFacts): Promise<void> {
  for (const half of accounts) await addToHours(tx, 'accounts', dates([half]), [half.accounts])
  if (requests.length > 0)
    await tx.query(
      `insert into figure_requests as f
       select * from unnest($1::timestamptz[], $2::text[], $3::integer[], $4::integer[], $5::integer[], $6::integer[])
       on conflict (hour, kind) do update set filed = f.filed + excluded.filed,
         approved = f.approved + excluded.approved, rejected = f.rejected + excluded.rejected,
         cancelled = f.cancelled + excluded.cancelled`,
      [dates(requests), ...columnsOf(requests, ['kind', 'filed', 'approved', 'rejected', 'cancelled'])],
    )
  if (waits.length > 0)
    await tx.query(
      `insert into figure_waits as f
       select * from unnest($1::timestamptz[], $2::text[], $3::smallint[], $4::integer[])
       on conflict (hour, what, bin) do update set n = f.n + excluded.n`,
      [dates(waits), ...columnsOf(waits, ['what', 'bin', 'n'])],
    )
}

export function startCountingFigures(db: Database, log: Logger): Stop {
  const warn = logging(log, 'The overview’s figures could not be counted')
  // The marks are set before the first count is due, so that a new installation shows events from its first second on.
  const begun = retrying(db, begin).catch((error: unknown) => error instanceof Busy || warn(error))
  const stop = repeating(LOOK_EVERY_MS, (signal) => countFigures(db, () => signal.aborted), warn)
  return async () => {
    await Promise.all([begun, stop()])
  }
}
