import type { Bet, OwnBetQuery, Round } from '#contract/game.ts'
import { roundList } from '#contract/round-list.ts'
import type { Basis, BetStatus, Direction, ScriptedOutcome, VoidReason } from '#domain/game/bet.ts'
import { type RoundType, windowOf } from '#domain/game/calendar.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { hasTickAfterSql, TICKS_SO_FAR } from '#server/features/market/index.ts'
import { MOVE_LIMIT_MS } from '#server/platform/process/clock.ts'
import type { Queryable } from '#server/platform/database/db.ts'
import {
  type AskedPage,
  conditionsOf,
  COUNT_CAP,
  countRows,
  equals,
  type FilterOf,
  type FilterSql,
  inTime,
  type ListSql,
} from '#server/platform/http/lists.ts'
import { idByNameSql } from '#server/platform/database/name-search.ts'
import { collectParams, type Params } from '#server/platform/database/sql.ts'
import { ROUND_COLUMNS, type RoundRow, toRound } from './rows.ts'

export interface BetRow extends Record<string, unknown> {
  id: string
  user_id: string
  username: string
  round_id: string
  round_type: RoundType
  round_index: bigint
  closes_at: Date
  direction: Direction
  stake: bigint
  status: BetStatus
  basis: Basis
  accepted_at: Date
  entry_from: bigint
  entry_second: bigint | null
  entry_price: number | null
  exit_price: number | null
  profit: bigint | null
  void_reason: VoidReason | null
  settled_at: Date | null
}

/** The columns of a bet that only its owner reads: the values that seal it in the public log (docs/open-book.md §3). */
interface SealRow {
  scripted_outcome: ScriptedOutcome | null
  salt: Uint8Array | null
  seal_index: bigint | null
}

/**
 * The entry of an open PRICE bet is read from the ticks as soon as every second from the earliest possible one through
 * the entry has its row (rules §2). No price is read before its second: a bet may have been settled while the clock was
 * ahead.
 */
const betSelect = (
  more: string,
): string => `select b.id, b.user_id, u.username, b.round_id, r.type as round_type, r.index as round_index, r.closes_at,
    b.direction, b.stake, b.status, b.basis, b.accepted_at, b.entry_from,
    case when b.entry_second is null then e.second
         when to_timestamp(b.entry_second) <= clock_timestamp() then b.entry_second end as entry_second,
    case when b.entry_second is null then e.price
         when to_timestamp(b.entry_second) <= clock_timestamp() then b.entry_price end as entry_price,
    case when r.closes_at <= clock_timestamp() then b.exit_price end as exit_price, b.profit, b.void_reason, b.settled_at${more}
  from bets b
  join users u on u.id = b.user_id
  join rounds r on r.id = b.round_id
  left join lateral (
    select t.second, t.price from ${TICKS_SO_FAR} t
     where b.status = 'open' and b.basis = 'PRICE' and t.source = r.price_source and t.second >= b.entry_from
       and t.second < extract(epoch from r.closes_at) and t.price is not null and t.quote_at > b.accepted_at
       and (select count(*) from ${TICKS_SO_FAR} p
             where p.source = t.source and p.second between b.entry_from and t.second) = t.second - b.entry_from + 1
     order by t.second limit 1
  ) e on true`

export const BET_SELECT = betSelect('')

const OWN_BET_SELECT = betSelect(`, b.scripted_outcome, b.salt,
    (select p.index from book_places p where p.bet_id = b.id order by p.generation desc limit 1) as seal_index`)

/**
 * SQL: true when a window has begun, or will begin within the difference allowed between the processes' clocks and the
 * database's (rules §2).
 * @param instant SQL: now. By default a clock that is right under a lock, too
 */
export const hasBegunSql = (opensAt: string, instant = 'clock_timestamp()'): string =>
  `${opensAt} <= ${instant} + interval '${MOVE_LIMIT_MS} milliseconds'`

export const toBet = (row: BetRow): Bet => ({
  id: row.id,
  owner: { id: row.user_id, username: row.username },
  round: { id: row.round_id, roundNumber: Number(row.round_index) + 1, type: row.round_type },
  direction: row.direction,
  stakeMinor: row.stake,
  status: row.status,
  basis: row.basis,
  entryFromMs: Number(row.entry_from) * 1000,
  entryAtMs: row.entry_second === null ? null : Number(row.entry_second) * 1000,
  entryPrice: row.entry_price,
  exitPrice: row.exit_price,
  profitMinor: row.profit,
  voidReason: row.void_reason,
  closesAtMs: row.closes_at.getTime(),
  settledAtMs: row.settled_at === null ? null : row.settled_at.getTime(),
  createdAtMs: row.accepted_at.getTime(),
})

const toOwnBet = (row: BetRow & SealRow): Bet => ({
  ...toBet(row),
  salt: row.salt === null ? null : Buffer.from(row.salt).toString('base64'),
  script: row.scripted_outcome,
  sealIndex: row.seal_index === null ? null : Number(row.seal_index),
})

/** In no particular order. */
export async function readBets(db: Queryable, ids: readonly string[]): Promise<Bet[]> {
  const { rows } = await db.query<BetRow & SealRow>(`${OWN_BET_SELECT} where b.id = any($1::uuid[])`, [ids])
  return rows.map(toOwnBet)
}

export type OwnBetFilter = Omit<OwnBetQuery, 'page' | 'limit' | 'sort'>

const OWN_BET_FILTERS: FilterSql<OwnBetFilter> = {
  status: equals('b.status'),
  type: (type, add) => `exists (select 1 from rounds t where t.id = b.round_id and t.type = ${add(type)})`,
  ...inTime('b.accepted_at'),
}

export const ownBetConditions = (params: Params, ownerId: string, filter: OwnBetFilter): string =>
  [`b.user_id = ${params.add(ownerId)}`, ...conditionsOf(OWN_BET_FILTERS, 'b.id', filter, params)].join(' and ')

/** The owner's bets, newest first, one more than `limit`. */
export async function listOwnBets(
  db: Queryable,
  ownerId: string,
  limit: number,
  offset: number,
  filter: OwnBetFilter = {},
): Promise<Bet[]> {
  const params = collectParams()
  const { rows } = await db.query<BetRow & SealRow>(
    `${OWN_BET_SELECT} where ${ownBetConditions(params, ownerId, filter)} order by b.accepted_at desc, b.id desc
      limit ${params.add(limit + 1)} offset ${params.add(offset)}`,
    params.values,
  )
  return rows.map(toOwnBet)
}

export const countOwnBets = (db: Queryable, ownerId: string, filter: OwnBetFilter): Promise<number> =>
  countRows(
    db,
    (params) =>
      `select 1 from bets b where ${ownBetConditions(params, ownerId, filter)} limit ${params.add(COUNT_CAP)}`,
  )

/** The latest attempt of the window that contains `nowMs`, deleted or not; null until the window has begun. */
export async function readWindowRound(db: Queryable, type: RoundType, nowMs: number): Promise<RoundRow | null> {
  const { rows } = await db.query<RoundRow>(
    `select ${ROUND_COLUMNS} from rounds r where r.type = $1 and r.index = $2
      and ${hasBegunSql('r.opens_at')} order by r.attempt desc limit 1`,
    [type, windowOf(type, nowMs).index],
    { name: 'window-round' },
  )
  return rows[0] ?? null
}

export interface RoundPricesNow {
  readonly openPrice: number | null
  /** Whether the next price is already public, so that no bet is accepted (rules §2). */
  readonly isEntryTold: boolean
  readonly nowMs: number
}

export async function readRoundPrices(db: Queryable, row: RoundRow): Promise<RoundPricesNow> {
  const { rows } = await db.query<{ open_price: number | null; is_told: boolean; now_ms: bigint }>(
    `with clock as materialized (select clock_timestamp() as at)
     select (select price from ${TICKS_SO_FAR} t where source = $1 and second = $2) as open_price,
            ${hasTickAfterSql('$1', 'clock.at')} as is_told,
            floor(extract(epoch from clock.at) * 1000)::bigint as now_ms
       from clock`,
    [row.price_source, Math.floor(row.opens_at.getTime() / 1000)],
    { name: 'round-prices' },
  )
  return {
    openPrice: rows[0]?.open_price ?? null,
    isEntryTold: rows[0]?.is_told === true,
    nowMs: Number(rows[0]?.now_ms),
  }
}

export type RoundFilter = FilterOf<typeof roundList> & {
  readonly type?: RoundType | undefined
  /** Leaves out ended rounds that staff hid, unless their ids are given. */
  readonly isForStaff: boolean
}

const ROUND_FILTERS: FilterSql<RoundFilter> = {
  type: equals('r.type'),
  isForStaff: () => null,
  ...inTime('r.opens_at'),
  by: (name, add) => {
    const admin = idByNameSql(name, add)
    return `(r.announced_by = ${admin} or r.deleted_by = ${admin})`
  },
  voids: () => `r.id in (select v.round_id from bets v where v.status = 'voided')`,
}

export const roundsWanted = (params: Params, filter: RoundFilter): string =>
  [
    // The planner knows the statement's instant. Of a clock that runs on it guesses that a third of all rounds have begun.
    hasBegunSql('r.opens_at', 'statement_timestamp()'),
    ...(filter.isForStaff && filter.ids === undefined ? ['r.hidden_at is null'] : []),
    ...conditionsOf(ROUND_FILTERS, 'r.id', filter, params),
  ].join(' and ')

export const roundOrder = ({ type }: RoundFilter, isDescending: boolean): string =>
  (type === undefined ? ['r.opens_at', 'r.id'] : ['r.index', 'r.attempt'])
    .map((column) => `${column} ${isDescending ? 'desc' : 'asc'}`)
    .join(', ')

export const ROUNDS: ListSql<RoundFilter> = {
  list: roundList,
  ids: (params, { filter, sort, page: { limit, offset } }) =>
    `select r.id from rounds r where ${roundsWanted(params, filter)}
      order by ${roundOrder(filter, sort.isDescending)} limit ${params.add(limit + 1)} offset ${params.add(offset)}`,
  counted: (params, filter) =>
    `select 1 from rounds r where ${roundsWanted(params, filter)}
      order by ${roundOrder(filter, true)} limit ${params.add(COUNT_CAP)}`,
}

/** One more than the page holds. */
export async function listRounds(
  db: Queryable,
  { filter, sort, page: { limit, offset } }: AskedPage<RoundFilter>,
  reader: Subject,
  labelOf: (source: string) => string,
): Promise<Round[]> {
  const params = collectParams()
  const where = roundsWanted(params, filter)
  const order = roundOrder(filter, sort.isDescending)
  // The row gets its opening price when the round is settled; until then it is the tick of the first second.
  const { rows } = await db.query<RoundRow & { tick_price: number | null }>(
    `select r.*, case when r.status <> 'ended' then (select t.price from ${TICKS_SO_FAR} t
              where t.source = r.price_source and t.second = extract(epoch from r.opens_at)::bigint) end as tick_price
       from (select ${ROUND_COLUMNS} from rounds r
              where ${where}
              order by ${order} limit ${params.add(limit + 1)} offset ${params.add(offset)}) r
      order by ${order}`,
    params.values,
  )
  return rows.map(({ tick_price, ...row }) =>
    toRound({ ...row, open_price: row.open_price ?? tick_price }, reader, labelOf),
  )
}
