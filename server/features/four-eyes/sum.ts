import type { Minor } from '#domain/money.ts'
import type { Queryable } from '#server/platform/database/db.ts'

/** What staff moved within the last 24 hours. */
export interface DaySums {
  /** For one player, by whomever. */
  readonly movedMinor: Minor
  /** By one admin, for whomever. */
  readonly byAdminMinor: Minor
}

/**
 * Approved requests and adjustments, corrections of disputes among them, whichever way they went. Read under the locks of
 * the player's accounts and of the admin's row it can't be passed by: every such act holds them until it commits. The
 * clock is read by queries of its own: an index finds rows by a value, not by a call that may answer another one for each row.
 */
export async function readDaySums(q: Queryable, ownerId: string, adminId: string): Promise<DaySums> {
  const { rows } = await q.query<{ moved: bigint; by_admin: bigint }>(
    `select (
       coalesce((select sum(amount) from cash_requests
         where owner_id = $1 and decided_by <> owner_id and status = 'approved'
           and decided_at > (select clock_timestamp() - interval '24 hours')), 0)
       + coalesce((select sum(t.amount) from ledger_accounts a join ledger_transfers t on t.wallet_account = a.id
         where a.owner_id = $1 and a.kind = 'wallet' and t.reason = 'ADJUSTMENT'
           and t.created_at > (select clock_timestamp() - interval '24 hours')), 0))::bigint as moved,
     (
       coalesce((select sum(amount) from cash_requests
         where decided_by = $2 and decided_by <> owner_id and status = 'approved'
           and decided_at > (select clock_timestamp() - interval '24 hours')), 0)
       + coalesce((select sum(amount) from ledger_transfers
         where actor = $2::uuid::text and reason = 'ADJUSTMENT'
           and created_at > (select clock_timestamp() - interval '24 hours')), 0))::bigint as by_admin`,
    [ownerId, adminId],
    { name: 'staff-day-sums' },
  )
  return { movedMinor: rows[0]?.moved ?? 0n, byAdminMinor: rows[0]?.by_admin ?? 0n }
}
