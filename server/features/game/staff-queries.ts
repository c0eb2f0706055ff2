import type { Bet, BetCounts } from '#contract/game.ts'
import { TOTAL_COUNTED_TO } from '#contract/limits.ts'
import type { BetStatus } from '#domain/game/bet.ts'
import type { RoundType } from '#domain/game/calendar.ts'
import type { Queryable, Row } from '#server/platform/db.ts'
import { COUNT_CAP, type Page } from '#server/platform/lists.ts'
import { idsByNameSql } from '#server/platform/name-search.ts'
import { collectParams, type Params } from '#server/platform/sql.ts'
import { type BetRow, BET_SELECT, hasBegunSql, toBet } from './queries.ts'

/** Filter of staff's list of bets. */
export interface StaffBetFilter {
  /** The beginning of a username, in any case, with or without accents. */
  readonly username: string | null
  readonly status: BetStatus | null
  readonly type: RoundType | null
}

/**
 * SQL for the first `count` bets of a filter by their ids, with the columns `id` and `status`. A filter by name reads
 * each owner's newest bets and touches no other owner's.
 */
function matching({ add }: Params, filter: StaffBetFilter, count: number, isDescending: boolean): string {
  const direction = isDescending ? 'desc' : 'asc'
  const parts = ['b.hidden_at is null']
  if (filter.status !== null) parts.push(`b.status = ${add(filter.status)}`)
  const where = parts.join(' and ')
  // Looked up bet by bet, in the bets' order, until enough are found: never all rounds of a type.
  const source =
    filter.type === null
      ? 'bets b'
      : `bets b join lateral (select 1 from rounds r where r.id = b.round_id and r.type = ${add(filter.type)} offset 0) r on true`
  const limit = add(count)
  if (filter.username === null)
    return `select b.id, b.status from ${source} where ${where} order by b.id ${direction} limit ${limit}`
  return `select f.id, f.status from unnest(${idsByNameSql(filter.username, add)}) as o (id)
      cross join lateral (select b.id, b.status from ${source} where b.user_id = o.id and ${where}
        order by b.accepted_at ${direction}, b.id ${direction} limit ${limit}) f
      order by f.id ${direction} limit ${limit}`
}

/** Bets in the order of their ids, which is the order of time. One more than the page holds. */
export async function listStaffBets(
  db: Queryable,
  filter: StaffBetFilter,
  isDescending: boolean,
  { limit, offset }: Page,
): Promise<Bet[]> {
  const params = collectParams()
  const text = matching(params, filter, offset + limit + 1, isDescending)
  // Selects the ids of the page first, so that rounds, names and ticks are looked up only for its rows, however deep
  // the page lies.
  const { rows } = await db.query<BetRow>(
    `${BET_SELECT} where b.id = any(array(select id from (${text}) page offset ${params.add(offset)}))
      order by b.id ${isDescending ? 'desc' : 'asc'}`,
    params.values,
  )
  return rows.map(toBet)
}

/** Number of matching bets, counted only up to COUNT_CAP. */
export async function countStaffBets(db: Queryable, filter: StaffBetFilter): Promise<number> {
  const params = collectParams()
  const text = matching(params, filter, COUNT_CAP, true)
  const { rows } = await db.query<{ n: bigint }>(`select count(*) as n from (${text}) counted`, params.values)
  return Number(rows[0]?.n ?? 0n)
}

interface StatusCountRow extends Row {
  status: BetStatus
  n: bigint
}

/** Counts by status over the newest bets of a filter, up to the same 10,000 to which totals are exact. */
export async function countByStatus(db: Queryable, filter: Omit<StaffBetFilter, 'status'>): Promise<BetCounts> {
  const params = collectParams()
  const text = matching(params, { ...filter, status: null }, COUNT_CAP, true)
  const { rows } = await db.query<StatusCountRow>(
    `select status, count(*) as n from (${text}) counted group by status`,
    params.values,
  )
  const of = (status: BetStatus) => Number(rows.find((row) => row.status === status)?.n ?? 0n)
  const counts = { open: of('open'), won: of('won'), lost: of('lost'), voided: of('voided') }
  const total = counts.open + counts.won + counts.lost + counts.voided
  return { ...counts, isCapped: total > TOTAL_COUNTED_TO }
}

interface RunningRow extends Row {
  id: string
  type: RoundType
  index: bigint
  closes_at: Date
  is_announced: boolean
  bets: bigint
  up: bigint
  down: bigint
}

/** The running rounds with the stakes on each side. */
export async function listRunningRounds(db: Queryable) {
  const { rows } = await db.query<RunningRow>(
    `select r.id, r.type, r.index, r.closes_at, r.announced_at is not null as is_announced, count(b.id) as bets,
            coalesce(sum(b.stake) filter (where b.direction = 'up'), 0)::bigint as up,
            coalesce(sum(b.stake) filter (where b.direction = 'down'), 0)::bigint as down
       from rounds r left join bets b on b.round_id = r.id and b.status = 'open'
      where r.status = 'running' and r.deleted_at is null and r.closes_at > clock_timestamp() and ${hasBegunSql('r.opens_at')}
      group by r.id order by r.closes_at - r.opens_at, r.closes_at`,
  )
  return rows.map((row) => ({
    id: row.id,
    type: row.type,
    roundNumber: Number(row.index) + 1,
    closesAtMs: row.closes_at.getTime(),
    bets: Number(row.bets),
    stakedUpMinor: row.up,
    stakedDownMinor: row.down,
    isAnnounced: row.is_announced,
  }))
}

/**
 * The house's result today (the day of Ho Chi Minh City, by acceptance) from bets decided by price. Bets of
 * demonstration accounts and bets decided by staff stay out of every statistic (rules §1.2).
 * @param dayStartMs a midnight in Vietnam, Unix ms (domain/day.ts)
 */
export async function readToday(
  db: Queryable,
  dayStartMs: number,
): Promise<{ netTodayMinor: bigint; betsToday: number }> {
  const { rows } = await db.query<{ net: bigint; n: bigint }>(
    `select coalesce(sum(-profit), 0)::bigint as net, count(*) as n from bets
      where accepted_at >= $1 and basis = 'PRICE' and status <> 'open'`,
    [new Date(dayStartMs)],
  )
  return { netTodayMinor: rows[0]?.net ?? 0n, betsToday: Number(rows[0]?.n ?? 0n) }
}
