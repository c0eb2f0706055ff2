import type { LedgerRow } from '#contract/wallet.ts'
import type { TransferReason } from '#domain/ledger/transfers.ts'
import type { Queryable } from '#server/platform/db.ts'
import { actorNameSql } from './actor-name.ts'

export interface LedgerFilter {
  readonly reason: TransferReason | null
  readonly beforePosition: number | null
  readonly offset: number
  readonly limit: number
}

interface TransferRow extends Record<string, unknown> {
  id: string
  wallet_seq: bigint
  reason: TransferReason
  wallet_delta: bigint
  wallet_balance_after: bigint
  actor: string
  ref: string
  note: string | null
  created_at: Date
  note_salt: string | null
}

/**
 * The owner's ledger, newest first, one row more than asked for, so that the caller knows whether a next page exists.
 */
export async function listLedger(db: Queryable, ownerId: string, filter: LedgerFilter): Promise<LedgerRow[]> {
  const { rows } = await db.query<TransferRow>(
    `select t.id, t.wallet_seq, t.reason, t.wallet_delta, t.wallet_balance_after,
            ${actorNameSql('t.actor')} as actor, t.ref, t.note, t.created_at,
            case when t.reason = 'ADJUSTMENT' then
              (select encode(b.salt, 'base64') from book_reasons b where b.ref = t.id limit 1) end as note_salt
       from ledger_accounts a
       join ledger_transfers t on t.wallet_account = a.id
      where a.owner_id = $1::uuid and a.kind = 'wallet'
        and ($2::text is null or t.reason = $2) and ($3::bigint is null or t.wallet_seq < $3)
      order by t.wallet_seq desc limit $4 offset $5`,
    [ownerId, filter.reason, filter.beforePosition, filter.limit + 1, filter.offset],
  )
  return rows.map((row) => ({
    id: row.id,
    position: Number(row.wallet_seq),
    reason: row.reason,
    deltaMinor: row.wallet_delta,
    balanceAfterMinor: row.wallet_balance_after,
    actor: row.actor,
    ref: row.ref,
    note: row.note,
    createdAtMs: row.created_at.getTime(),
    noteSalt: row.note_salt,
  }))
}

/** Number of matching rows, counted only up to `cap`. */
export async function countLedger(
  db: Queryable,
  ownerId: string,
  reason: TransferReason | null,
  cap: number,
): Promise<number> {
  const { rows } = await db.query<{ n: bigint }>(
    `select count(*) as n from (select 1 from ledger_accounts a join ledger_transfers t on t.wallet_account = a.id
      where a.owner_id = $1 and a.kind = 'wallet' and ($2::text is null or t.reason = $2) limit $3) counted`,
    [ownerId, reason, cap],
  )
  return Number(rows[0]?.n ?? 0n)
}
