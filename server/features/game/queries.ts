import { PENDING_MAX, REQUEST_MAX_POINTS } from '#domain/cashier/request.ts'
import { type BetStatus, STAKE_MAX_POINTS } from '#domain/game/bet.ts'
import type { Bet, OwnBetQuery, Round } from '#contract/game.ts'
import { roundList } from '#contract/round-list.ts'
import { type RoundType, windowOf } from '#domain/game/calendar.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { BALANCE_MAX_MINOR, type Minor, points } from '#domain/money.ts'
import { hasTickAfterSql, TICKS_SO_FAR } from '#server/features/market/index.ts'
import type { LockedAccount } from '#server/features/wallet/index.ts'
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
import { msSql, onlyRow } from '#server/platform/database/rows.ts'
import { ROUND_COLUMNS, type RoundRow, toRound } from './rows.ts'

/**
 * SQL that selects bets. The entry of an open PRICE bet is read from the ticks. It is null as long as a second from
 * `entry_from` to the entry has no row (rules §2.4). Prices of future seconds are null, too: they may exist after the
 * clock was set back (rules §2.1).
 */
const betSelect = (
  more: string,
): string => `select b.id, json_build_object('id', b.user_id, 'username', u.username) as owner,
    json_build_object('id', b.round_id, 'roundNumber', r.index + 1, 'type', r.type) as round, b.direction,
    b.stake as "stakeMinor", b.status, b.basis, b.entry_from::float8 * 1000 as "entryFromMs",
    case when b.entry_second is null then e.second
         when to_timestamp(b.entry_second) <= clock_timestamp() then b.entry_second end::float8 * 1000 as "entryAtMs",
    case when b.entry_second is null then e.price
         when to_timestamp(b.entry_second) <= clock_timestamp() then b.entry_price end as "entryPrice",
    case when r.closes_at <= clock_timestamp() then b.exit_price end as "exitPrice", b.profit as "profitMinor",
    b.void_reason as "voidReason", ${msSql('r.closes_at')} as "closesAtMs", ${msSql('b.settled_at')} as "settledAtMs",
    ${msSql('b.accepted_at')} as "createdAtMs"${more}
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

/** SQL that selects bets for their owner, with the values that open them in the public log (docs/open-book.md §3). */
const OWN_BET_SELECT = betSelect(`, b.scripted_outcome as script, encode(b.salt, 'base64') as salt,
    (select p.index from book_places p where p.bet_id = b.id order by p.generation desc limit 1)::float8 as "sealIndex"`)

/**
 * SQL condition: a window has begun, or begins within the 250 ms by which a process's clock may be ahead (rules §2.1).
 * @param instant SQL of the present time. The default advances while a statement runs or waits for a lock, so that the
 *   condition holds for the time at which it is evaluated.
 */
export const hasBegunSql = (opensAt: string, instant = 'clock_timestamp()'): string =>
  `${opensAt} <= ${instant} + interval '${MOVE_LIMIT_MS} milliseconds'`

/** Returns the bets with these ids, in no particular order. */
export async function readBets(db: Queryable, ids: readonly string[]): Promise<Bet[]> {
  return (await db.query<Bet>(`${OWN_BET_SELECT} where b.id = any($1::uuid[])`, [ids])).rows
}

export type OwnBetFilter = Omit<OwnBetQuery, 'page' | 'limit' | 'sort'>

/** SQL columns: for each status, the number of bets with this status whose basis is PRICE (rules §1.2). */
export const COUNTS_BY_PRICE = (['open', 'won', 'lost', 'voided'] as const satisfies readonly BetStatus[])
  .map((status) => `(count(*) filter (where status = '${status}' and basis = 'PRICE'))::integer as ${status}`)
  .join(', ')

const OWN_BET_FILTERS: FilterSql<OwnBetFilter> = {
  status: equals('b.status'),
  type: (type, add) => `exists (select 1 from rounds t where t.id = b.round_id and t.type = ${add(type)})`,
  ...inTime('b.accepted_at'),
}

export const ownBetConditions = (params: Params, ownerId: string, filter: OwnBetFilter): string =>
  [`b.user_id = ${params.add(ownerId)}`, ...conditionsOf(OWN_BET_FILTERS, 'b.id', filter, params)].join(' and ')

/** Returns the owner's bets, newest first: at most `limit`, and one more if more follow. */
export async function listOwnBets(
  db: Queryable,
  ownerId: string,
  limit: number,
  offset: number,
  filter: OwnBetFilter = {},
): Promise<Bet[]> {
  const params = collectParams()
  const { rows } = await db.query<Bet>(
    `${OWN_BET_SELECT} where ${ownBetConditions(params, ownerId, filter)} order by b.accepted_at desc, b.id desc
      limit ${params.add(limit + 1)} offset ${params.add(offset)}`,
    params.values,
  )
  return rows
}

export const countOwnBets = (db: Queryable, ownerId: string, filter: OwnBetFilter): Promise<number> =>
  countRows(
    db,
    (params) =>
      `select 1 from bets b where ${ownBetConditions(params, ownerId, filter)} limit ${params.add(COUNT_CAP)}`,
  )

/** Returns the newest round of the window around `nowMs`, even a deleted one; null if no round of it has begun. */
export async function readWindowRound(db: Queryable, type: RoundType, nowMs: number): Promise<RoundRow | null> {
  const { rows } = await db.query<RoundRow>(
    `select ${ROUND_COLUMNS} from rounds r where r.type = $1 and r.index = $2
      and ${hasBegunSql('r.opens_at')} order by r.attempt desc limit 1`,
    [type, windowOf(type, nowMs).index],
    { name: 'window-round' },
  )
  return rows[0] ?? null
}

/** Reads the open price and the database's time. `isEntryTold`: a tick after this time may be public (rules §2.1). */
export async function readRoundPrices(db: Queryable, row: RoundRow) {
  return onlyRow(
    await db.query<{ openPrice: number | null; isEntryTold: boolean; nowMs: number }>(
      `with clock as materialized (select clock_timestamp() as at)
       select (select price from ${TICKS_SO_FAR} t where source = $1 and second = $2) as "openPrice",
              ${hasTickAfterSql('$1', 'clock.at')} as "isEntryTold", ${msSql('clock.at')} as "nowMs"
         from clock`,
      [row.price_source, Math.floor(row.opens_at.getTime() / 1000)],
      { name: 'round-prices' },
    ),
  )
}

export type RoundFilter = FilterOf<typeof roundList> & {
  readonly type?: RoundType | undefined
  /** If true, ended rounds that staff hid are left out, unless the filter names ids. */
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
    // The planner can compute `statement_timestamp()`. For `clock_timestamp()`, it assumes that a third of rows match.
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

/** Returns the rounds of a page, and one more if more follow. */
export async function listRounds(
  db: Queryable,
  { filter, sort, page: { limit, offset } }: AskedPage<RoundFilter>,
  reader: Subject,
  labelOf: (source: string) => string,
): Promise<Round[]> {
  const params = collectParams()
  const where = roundsWanted(params, filter)
  const order = roundOrder(filter, sort.isDescending)
  // A round's row has no open price before settlement. Until then, the tick of the round's first second gives it.
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

/** Wallets up to this amount stay within the balance limit with any win and any pending deposits (rules §3.1, §3.6). */
const DEPOSITS_COUNT_FROM = BALANCE_MAX_MINOR - points(PENDING_MAX * REQUEST_MAX_POINTS + STAKE_MAX_POINTS)

/**
 * Returns pending deposits by owner, only for wallets above `DEPOSITS_COUNT_FROM`. The caller has locked the accounts,
 * so that no deposit is filed meanwhile.
 */
export async function readPendingDeposits(
  tx: Queryable,
  accounts: readonly LockedAccount[],
): Promise<ReadonlyMap<string, Minor>> {
  const wallets = accounts.filter(({ kind, balanceMinor }) => kind === 'wallet' && balanceMinor > DEPOSITS_COUNT_FROM)
  if (wallets.length === 0) return new Map()
  const { rows } = await tx.query<{ ownerId: string; amount: Minor }>(
    `select owner_id as "ownerId", sum(amount)::bigint as amount from cash_requests
      where owner_id = any($1::uuid[]) and status = 'pending' and kind = 'deposit' group by owner_id`,
    [wallets.map(({ ownerId }) => ownerId)],
  )
  return new Map(rows.map(({ ownerId, amount }) => [ownerId, amount]))
}
