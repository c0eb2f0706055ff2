import { PAGE_LIMIT_MAX } from '#contract/limits.ts'
import type { LedgerBet, LedgerReason, LedgerRow } from '#contract/wallet.ts'
import type { Minor } from '#domain/money.ts'
import type { Queryable, Row } from '#server/platform/database/db.ts'
import { collectParams, type Params } from '#server/platform/database/sql.ts'
import { msSql } from '#server/platform/database/rows.ts'
import { actorNameSql } from './actor-name.ts'

export interface LedgerFilter {
  readonly reason: LedgerReason | null
  readonly beforePosition: number | null
  readonly fromPosition?: number | null
  readonly offset: number
  readonly limit: number
}

type TransferRow = Omit<LedgerRow, 'bet'> & {
  readonly [Field in keyof LedgerBet as `bet_${Field}`]: LedgerBet[Field] | null
}

const hasReason = (reason: LedgerReason, add: Params['add']): string =>
  reason === 'BET' ? `t.reason like 'BET\\_%'` : `t.reason = ${add(reason)}`

/** SQL subquery for a column of an owner's wallet; with a join, the index would not give the transfers in order. */
const ofWallet = (column: 'id' | 'transfer_count', owner: string): string =>
  `(select ${column} from ledger_accounts where owner_id = ${owner}::uuid and kind = 'wallet')`

/** Returns an owner's ledger rows, newest first: at most `limit`, and one more if more follow. */
export async function listLedger(
  db: Queryable,
  ownerId: string,
  { reason, beforePosition, fromPosition = null, offset, limit }: LedgerFilter,
): Promise<LedgerRow[]> {
  const params = collectParams()
  const { add } = params
  const owner = add(ownerId)
  // Positions have no gaps: without a filter, `offset` is subtracted from the position, and no skipped row is read.
  const end = `least(${add(beforePosition)}::bigint, ${ofWallet('transfer_count', owner)} + 1)`
  const page =
    reason === null
      ? `t.wallet_seq < ${end} - ${add(offset)}::bigint`
      : `t.wallet_seq < ${end} and ${hasReason(reason, add)}`
  const { rows } = await db.query<TransferRow>(
    `select t.id, t.wallet_seq::float8 as position, t.reason, t.wallet_delta as "deltaMinor",
            t.wallet_balance_after as "balanceAfterMinor", ${actorNameSql('t.actor')} as actor, t.ref, t.note,
            ${msSql('t.created_at')} as "createdAtMs", case when t.reason = 'ADJUSTMENT' then
              (select encode(b.salt, 'base64') from book_reasons b where b.ref = t.id limit 1) end as "noteSalt",
            b.id as "bet_id", r.type as "bet_type", b.direction as "bet_direction", b.status as "bet_status",
            b.profit as "bet_profitMinor"
       from ledger_transfers t
       left join bets b on b.id = case when t.ref like 'bet:%' then substr(t.ref, 5)::uuid end
       left join rounds r on r.id = b.round_id
      where t.wallet_account = ${ofWallet('id', owner)} and t.wallet_seq >= ${add(fromPosition ?? 1)}::bigint and ${page}
      order by t.wallet_seq desc limit ${add(limit + 1)}${reason === null ? '' : ` offset ${add(offset)}`}`,
    params.values,
  )
  return rows.map(toLedgerRow)
}

function toLedgerRow(found: TransferRow): LedgerRow {
  const { bet_id, bet_type, bet_direction, bet_status, bet_profitMinor: profitMinor, ...row } = found
  const isOfBet = bet_id !== null && bet_type !== null && bet_direction !== null && bet_status !== null
  const bet = isOfBet ? { id: bet_id, type: bet_type, direction: bet_direction, status: bet_status, profitMinor } : null
  return { ...row, bet }
}

/**
 * Like `listLedger`, but a page with the return or profit of a bet is extended to the stake of the same bet. The page
 * is the first `length` elements of `rows`.
 */
export async function listWholeBets(db: Queryable, ownerId: string, filter: LedgerFilter) {
  const rows = await listLedger(db, ownerId, filter)
  const page = rows.slice(0, filter.limit)
  const begun = new Set(page.filter(({ reason }) => reason === 'BET_STAKE').map(({ ref }) => ref))
  const halves = new Set(page.filter(({ bet, ref }) => bet !== null && !begun.has(ref)).map(({ ref }) => ref))
  const last = page.at(-1)
  if (last === undefined || halves.size === 0 || rows.length === page.length) return { rows, length: page.length }
  const after = { ...filter, beforePosition: last.position, offset: 0, limit: PAGE_LIMIT_MAX }
  const further = await listLedger(db, ownerId, after)
  const end = further.findLastIndex(({ reason, ref }) => reason === 'BET_STAKE' && halves.has(ref)) + 1
  return { rows: [...page, ...further], length: page.length + end }
}

/** Counts the rows with positions in [fromPosition, toPosition), `cap` at most. */
export async function countLedger(
  db: Queryable,
  ownerId: string,
  reason: LedgerReason | null,
  cap: number,
  fromPosition: number | null = null,
  toPosition: number | null = null,
): Promise<number> {
  const params = collectParams()
  const { add } = params
  const owner = add(ownerId)
  const from = `${add(fromPosition ?? 1)}::bigint`
  const end = `least(${add(toPosition)}::bigint, ${ofWallet('transfer_count', owner)} + 1)`
  const { rows } = await db.query<{ n: bigint }>(
    reason === null
      ? `select greatest(0, least(${add(cap)}::bigint, ${end} - ${from})) as n`
      : `select count(*) as n from (select 1 from ledger_transfers t
          where t.wallet_account = ${ofWallet('id', owner)} and ${hasReason(reason, add)}
            and t.wallet_seq >= ${from} and t.wallet_seq < ${end} limit ${add(cap)}) counted`,
    params.values,
  )
  return Number(rows[0]?.n ?? 0n)
}

interface LedgerStanding {
  /** Position of the first transfer at or after the instant; one above the last position if no such transfer exists. */
  readonly position: number
  readonly balanceMinor: Minor | null
}

/**
 * Returns the state of the owner's ledger at each of the `instants`, Unix ms, by binary search: positions have no gaps
 * and grow with time. Without `limit 1`, PostgreSQL would read all rows at each step.
 */
export async function standingsAt(
  db: Queryable,
  ownerId: string,
  instants: readonly number[],
): Promise<LedgerStanding[]> {
  const { rows } = await db.query<LedgerStanding & Row>(
    `with recursive a as materialized (
       select id from ledger_accounts where owner_id = $1::uuid and kind = 'wallet'),
     search (place, at, low, high) as (
       select i.place, i.at, 1::bigint, 1 + coalesce((select max(t.wallet_seq) from ledger_transfers t
                                        where t.wallet_account = (select id from a)), 0)
         from unnest($2::timestamptz[]) with ordinality as i (at, place)
       union all
       select s.place, s.at, case when m.created_at < s.at then m.wallet_seq + 1 else s.low end,
              case when m.created_at < s.at then s.high else m.wallet_seq end
         from search s cross join lateral (
           select t.wallet_seq, t.created_at from ledger_transfers t
            where t.wallet_account = (select id from a) and t.wallet_seq = (s.low + s.high) / 2 limit 1) m
        where s.low < s.high)
     select s.low::float8 as position, (select t.wallet_balance_after from ledger_transfers t
              where t.wallet_account = (select id from a) and t.wallet_seq = s.low - 1) as "balanceMinor"
       from search s where s.low = s.high order by s.place`,
    [ownerId, instants.map((atMs) => new Date(atMs))],
  )
  if (rows.length !== instants.length) throw new Error('The positions of a wallet have a hole.')
  return rows
}

export async function positionAt(db: Queryable, ownerId: string, atMs: number): Promise<number> {
  const [standing] = await standingsAt(db, ownerId, [atMs])
  if (standing === undefined) throw new Error('An instant without an answer.')
  return standing.position
}
