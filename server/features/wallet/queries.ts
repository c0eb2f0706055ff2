import type { LedgerRow } from '#contract/wallet.ts'
import type { TransferReason } from '#domain/ledger/transfers.ts'
import type { Queryable } from '#server/platform/database/db.ts'
import { collectParams } from '#server/platform/database/sql.ts'
import { actorNameSql } from './actor-name.ts'

export interface LedgerFilter {
  readonly reason: TransferReason | null
  readonly beforePosition: number | null
  /** Only rows from this position on. */
  readonly fromPosition?: number | null
  readonly offset: number
  readonly limit: number
}

type TransferRow = Omit<LedgerRow, 'createdAtMs'> & { createdAt: Date }

/** SQL: a column of the owner's wallet, alone, so that its transfers are read in the order of their index. */
const ofWallet = (column: 'id' | 'transfer_count', owner: string): string =>
  `(select ${column} from ledger_accounts where owner_id = ${owner}::uuid and kind = 'wallet')`

/**
 * The owner's ledger, newest first, one row more than asked for, so that the caller knows whether a next page exists.
 */
export async function listLedger(
  db: Queryable,
  ownerId: string,
  { reason, beforePosition, fromPosition = null, offset, limit }: LedgerFilter,
): Promise<LedgerRow[]> {
  const params = collectParams()
  const { add } = params
  const owner = add(ownerId)
  // A wallet's positions have no holes: a page of all its rows is found by their count, however deep it lies.
  const end = `least(${add(beforePosition)}::bigint, ${ofWallet('transfer_count', owner)} + 1)`
  const page =
    reason === null
      ? `t.wallet_seq < ${end} - ${add(offset)}::bigint`
      : `t.wallet_seq < ${end} and t.reason = ${add(reason)}`
  const { rows } = await db.query<TransferRow>(
    `select t.id, t.wallet_seq::float8 as position, t.reason, t.wallet_delta as "deltaMinor",
            t.wallet_balance_after as "balanceAfterMinor", ${actorNameSql('t.actor')} as actor, t.ref, t.note,
            t.created_at as "createdAt", case when t.reason = 'ADJUSTMENT' then
              (select encode(b.salt, 'base64') from book_reasons b where b.ref = t.id limit 1) end as "noteSalt"
       from ledger_transfers t
      where t.wallet_account = ${ofWallet('id', owner)} and t.wallet_seq >= ${add(fromPosition ?? 1)}::bigint and ${page}
      order by t.wallet_seq desc limit ${add(limit + 1)}${reason === null ? '' : ` offset ${add(offset)}`}`,
    params.values,
  )
  return rows.map(({ createdAt, ...row }) => ({ ...row, createdAtMs: createdAt.getTime() }))
}

/** Number of matching rows of [fromPosition, toPosition), at most `cap`. */
export async function countLedger(
  db: Queryable,
  ownerId: string,
  reason: TransferReason | null,
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
          where t.wallet_account = ${ofWallet('id', owner)} and t.reason = ${add(reason)}
            and t.wallet_seq >= ${from} and t.wallet_seq < ${end} limit ${add(cap)}) counted`,
    params.values,
  )
  return Number(rows[0]?.n ?? 0n)
}

/**
 * The position of the owner's first transfer at or after an instant, one above the last where there is none. Positions
 * have no holes and grow with time, so that halving finds it in a million rows by twenty looks; where the clock was set
 * back, the rows of those seconds lie with their neighbours.
 * @param atMs Unix ms
 */
export async function positionAt(db: Queryable, ownerId: string, atMs: number): Promise<number> {
  const { rows } = await db.query<{ position: bigint }>(
    `with recursive a as materialized (
       select id from ledger_accounts where owner_id = $1::uuid and kind = 'wallet'),
     search (low, high) as (
       select 1::bigint, 1 + coalesce((select max(t.wallet_seq) from ledger_transfers t
                                        where t.wallet_account = (select id from a)), 0)
       union all
       select case when m.created_at < $2 then m.wallet_seq + 1 else s.low end,
              case when m.created_at < $2 then s.high else m.wallet_seq end
         from search s cross join lateral (
           select t.wallet_seq, t.created_at from ledger_transfers t
            where t.wallet_account = (select id from a) and t.wallet_seq = (s.low + s.high) / 2) m
        where s.low < s.high)
     select low as position from search where low = high`,
    [ownerId, new Date(atMs)],
  )
  const row = rows[0]
  if (row === undefined) throw new Error('The positions of a wallet have a hole.')
  return Number(row.position)
}
