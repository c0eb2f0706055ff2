import type { Overview } from '#contract/back-office.ts'
import type { Bet, RoundFigures } from '#contract/game.ts'
import { type BetCounts, betList, type RoundTotals } from '#contract/staff-game.ts'
import { ROUNDS_SUMMED_TO, TOTAL_COUNTED_TO } from '#contract/limits.ts'
import type { Queryable } from '#server/platform/database/db.ts'
import {
  type AskedPage,
  conditionsOf,
  COUNT_CAP,
  equals,
  type FilterOf,
  type FilterSql,
  inAmount,
  inTime,
  type ListSql,
} from '#server/platform/http/lists.ts'
import { idByNameSql, idsByNameSql } from '#server/platform/database/name-search.ts'
import { collectParams, type Params } from '#server/platform/database/sql.ts'
import { msSql, onlyRow } from '#server/platform/database/rows.ts'
import { BET_SELECT, COUNTS_BY_PRICE, hasBegunSql, type RoundFilter, roundOrder, roundsWanted } from './queries.ts'

type StaffBetFilter = FilterOf<typeof betList>

/**
 * SQL condition over `rounds r` and `bets b`: the bet belongs to the round. A bet's id begins with its creation time,
 * so the primary key finds the bets by the round's times. Two minutes on each side allow for a process's wrong clock.
 */
const isBetOf = `b.round_id = r.id
  and b.id >= ${firstIdAt(`r.opens_at - interval '2 minutes'`)} and b.id < ${firstIdAt(`r.closes_at + interval '2 minutes'`)}`

/** The largest assumed difference in ms between the time in a bet's id, by a process's clock, and `accepted_at`. */
const ID_SLACK_MS = 120_000

const firstIdOf = (atMs: number): string => {
  const hex = Math.max(0, Math.floor(atMs)).toString(16).padStart(12, '0').padEnd(32, '0')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** SQL for the lowest id of an instant: a UUIDv7 begins with 48 bits of milliseconds (RFC 9562). */
function firstIdAt(instant: string): string {
  return `rpad(lpad(to_hex(floor(extract(epoch from ${instant}) * 1000)::bigint), 12, '0'), 32, '0')::uuid`
}

/** Returns SQL for the first `count` bets that match a filter, ordered by id. */
function matching(params: Params, filter: StaffBetFilter, count: number, isDescending: boolean): string {
  const direction = isDescending ? 'desc' : 'asc'
  const where = ['b.hidden_at is null', ...conditionsOf(BET_FILTERS, 'b.id', filter, params)].join(' and ')
  const { add } = params
  const rounds = roundConditions(filter, add)
  // In `join lateral`, `offset 0` makes PostgreSQL look up each bet's round, and not read all rounds of the type.
  const source =
    rounds.length > 0
      ? `(select b.* from rounds r join bets b on ${isBetOf} where ${rounds.join(' and ')} offset 0) b`
      : filter.type === undefined
        ? 'bets b'
        : `bets b join lateral (select 1 from rounds r where r.id = b.round_id and r.type = ${add(filter.type)} offset 0) r on true`
  const limit = add(count)
  if (filter.username === undefined && filter.userId === undefined)
    return `select ${COUNTED} from ${source} where ${where} order by b.id ${direction} limit ${limit}`
  const owners =
    filter.userId === undefined ? idsByNameSql(filter.username ?? '', add) : `array[${add(filter.userId)}::uuid]`
  return `select f.* from unnest(${owners}) as o (id)
      cross join lateral (select ${COUNTED} from ${source} where b.user_id = o.id and ${where}
        order by b.accepted_at ${direction}, b.id ${direction} limit ${limit}) f
      order by f.id ${direction} limit ${limit}`
}

const COUNTED = 'b.id, b.status, b.basis, b.stake, b.profit'

/** Adds no condition, because `matching` itself applies the filter. */
const elsewhere = () => null

const { from, to } = inTime('b.accepted_at')

const BET_FILTERS: FilterSql<StaffBetFilter> = {
  status: equals('b.status'),
  // The id contains the approximate time, so the primary key finds the bets. `accepted_at` is the exact time.
  from: (atMs, add) => `${from(atMs, add)} and b.id >= ${add(firstIdOf(atMs - ID_SLACK_MS))}`,
  to: (atMs, add) => `${to(atMs, add)} and b.id < ${add(firstIdOf(atMs + ID_SLACK_MS))}`,
  ...inAmount('b.stake'),
  basis: (basis, add) => `b.basis = ${add(basis)}${basis === 'PRICE' ? '' : ` and b.basis <> 'PRICE'`}`,
  voidReason: (reason, add) => `b.status = 'voided' and b.void_reason = ${add(reason)}`,
  username: elsewhere,
  userId: elsewhere,
  type: elsewhere,
  roundId: elsewhere,
  by: elsewhere,
}

/** SQL conditions over `rounds r` and `bets b` for a filter that names a round or an admin; none for other filters. */
function roundConditions({ roundId, by, type }: StaffBetFilter, add: Params['add']): string[] {
  const parts: string[] = []
  if (roundId !== undefined) parts.push(`r.id = ${add(roundId)}`)
  if (by !== undefined) {
    const admin = idByNameSql(by, add)
    parts.push(`((r.announced_by = ${admin} and b.basis = 'ADMIN')
      or (r.deleted_by = ${admin} and b.void_reason = 'ROUND_DELETED'))`)
  }
  if (parts.length > 0 && type !== undefined) parts.push(`r.type = ${add(type)}`)
  return parts
}

export const BETS: ListSql<StaffBetFilter> = {
  list: betList,
  ids: (params, { filter, sort, page: { limit, offset } }) =>
    `select id from (${matching(params, filter, offset + limit + 1, sort.isDescending)}) page offset ${params.add(offset)}`,
  counted: (params, filter) =>
    isOfStakesAlone(filter)
      ? `select 1 from bets b where b.hidden_at is null and ${conditionsOf(BET_FILTERS, 'b.id', filter, params).join(' and ')}
          limit ${params.add(COUNT_CAP)}`
      : matching(params, filter, COUNT_CAP, true),
}

/**
 * Returns whether a filter bounds the stake and nothing else. With such a filter, bets are counted in no order, so that
 * the index on stakes finds them. In the order of ids, all bets might have to be read before enough match.
 */
function isOfStakesAlone(filter: StaffBetFilter): boolean {
  const { min, max, status, from, to, basis, voidReason, username, userId, type, roundId, by } = filter
  const others = [status, from, to, basis, voidReason, username, userId, type, roundId, by]
  return (min !== undefined || max !== undefined) && others.every((one) => one === undefined)
}

/** Returns the bets of a page, and one more if more follow. */
export async function listStaffBets(db: Queryable, asked: AskedPage<StaffBetFilter>): Promise<Bet[]> {
  const params = collectParams()
  // Ids are selected first, so that rounds, names and ticks are looked up only for the bets of this page.
  const { rows } = await db.query<Bet>(
    `${BET_SELECT} where b.id = any(array(${BETS.ids(params, asked)}))
      order by b.id ${asked.sort.isDescending ? 'desc' : 'asc'}`,
    params.values,
  )
  return rows
}

/**
 * Counts by status the bets that match a filter, at most the newest 10,000, and sums their stakes. Bets whose basis is
 * not PRICE count in the stakes and in `leftOut`, but under no status and not in the net (rules §1.2).
 */
export async function countByStatus(db: Queryable, filter: StaffBetFilter): Promise<BetCounts> {
  const params = collectParams()
  return onlyRow(
    await db.query<BetCounts>(
      `with newest as materialized (${matching(params, filter, COUNT_CAP, true)})
       select ${COUNTS_BY_PRICE}, (count(*) filter (where basis <> 'PRICE'))::integer as "leftOut",
              coalesce(sum(stake), 0)::bigint as "stakedMinor",
              coalesce(sum(stake) filter (where status = 'voided'), 0)::bigint as "returnedMinor",
              coalesce(sum(-profit) filter (where basis = 'PRICE'), 0)::bigint as "netMinor",
              (select count(*) from newest) > ${TOTAL_COUNTED_TO} as "isCapped"
         from (select * from newest order by id desc limit ${TOTAL_COUNTED_TO}) counted`,
      params.values,
    ),
  )
}

const FIGURES = `count(*)::integer as bets, coalesce(sum(b.stake), 0)::bigint as "stakedMinor",
  (count(*) filter (where b.status = 'voided'))::integer as voided,
  coalesce(sum(-b.profit) filter (where b.basis = 'PRICE'), 0)::bigint as "netMinor",
  (count(*) filter (where b.basis <> 'PRICE'))::integer as "leftOut"`

export async function readFigures(db: Queryable, roundIds: readonly string[]): Promise<Map<string, RoundFigures>> {
  const { rows } = await db.query<RoundFigures & { id: string }>(
    `select r.id, f.* from rounds r cross join lateral (select ${FIGURES} from bets b where ${isBetOf}) f
      where r.id = any($1::uuid[])`,
    [roundIds],
    { name: 'round-figures' },
  )
  return new Map(rows.map(({ id, ...figures }) => [id, figures]))
}

/**
 * SQL that joins the bets of the rounds in the CTE `newest`, and finds these bets by ranges of ids. Rounds that match
 * the filter `by` or `voids` may lie far apart in time, so each has its own range. Other rounds share one range.
 */
const betsOfNewest = ({ by, voids }: RoundFilter): string =>
  by !== undefined || voids !== undefined
    ? `cross join lateral (select b.* from bets b where ${isBetOf} offset 0) b`
    : `join bets b on b.round_id = r.id
         and b.id >= (select ${firstIdAt(`min(n.opens_at) - interval '2 minutes'`)} from newest n)
         and b.id < (select ${firstIdAt(`max(n.closes_at) + interval '2 minutes'`)} from newest n)`

export async function sumRounds(db: Queryable, filter: RoundFilter): Promise<RoundTotals> {
  const params = collectParams()
  const where = roundsWanted(params, filter)
  const order = roundOrder(filter, true)
  const { seen, ...figures } = onlyRow(
    await db.query<RoundFigures & { seen: number }>(
      `with newest as materialized (
         select r.id, r.opens_at, r.closes_at, row_number() over (order by ${order}) as place from rounds r
          where ${where} order by ${order} limit ${params.add(ROUNDS_SUMMED_TO + 1)})
       select (select count(*) from newest)::integer as seen, f.* from (
         select ${FIGURES} from newest r ${betsOfNewest(filter)} where r.place <= ${ROUNDS_SUMMED_TO}) f`,
      params.values,
    ),
  )
  return { rounds: Math.min(seen, ROUNDS_SUMMED_TO), ...figures, isCapped: seen > ROUNDS_SUMMED_TO }
}

type RunningRound = Overview['rounds'][number]

export async function listRunningRounds(db: Queryable): Promise<RunningRound[]> {
  const { rows } = await db.query<RunningRound>(
    `select r.id, r.type, (r.index + 1)::float8 as "roundNumber", ${msSql('r.closes_at')} as "closesAtMs",
            r.announced_at is not null as "isAnnounced", count(b.id)::integer as bets,
            coalesce(sum(b.stake) filter (where b.direction = 'up'), 0)::bigint as "stakedUpMinor",
            coalesce(sum(b.stake) filter (where b.direction = 'down'), 0)::bigint as "stakedDownMinor"
       from rounds r left join bets b on b.round_id = r.id and b.status = 'open'
      where r.status = 'running' and r.deleted_at is null and r.closes_at > clock_timestamp() and ${hasBegunSql('r.opens_at')}
      group by r.id order by r.closes_at - r.opens_at, r.closes_at`,
  )
  return rows
}

/**
 * Returns the number of settled bets with the basis PRICE that were accepted since `dayStartMs`, and the operator's net
 * from these bets (rules §1.2).
 * @param dayStartMs a midnight in Vietnam, Unix ms (domain/day.ts)
 */
export const readToday = async (db: Queryable, dayStartMs: number) =>
  onlyRow(
    await db.query<{ netTodayMinor: bigint; betsToday: number }>(
      `select coalesce(sum(-profit), 0)::bigint as "netTodayMinor", count(*)::integer as "betsToday" from bets
        where accepted_at >= $1 and basis = 'PRICE' and status <> 'open'`,
      [new Date(dayStartMs)],
    ),
  )
