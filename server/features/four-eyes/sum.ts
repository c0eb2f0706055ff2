import type { Minor } from '#domain/money.ts'
import type { Queryable } from '#server/platform/db.ts'

/**
 * What staff moved for a player within the last 24 hours: approved requests and adjustments, corrections of disputes
 * among them, whichever way they went. Read under the lock of the player's accounts it can't be passed by: every such
 * act holds them until it commits. The clock is read by queries of its own: an index finds rows by a value, not by a
 * call that may answer another one for each row.
 */
export async function readDaySum(q: Queryable, ownerId: string): Promise<Minor> {
  const { rows } = await q.query<{ moved: bigint }>(
    `select (
       coalesce((select sum(amount) from cash_requests
         where owner_id = $1 and decided_by <> owner_id and status = 'approved'
           and decided_at > (select clock_timestamp() - interval '24 hours')), 0)
       + coalesce((select sum(t.amount) from ledger_accounts a join ledger_transfers t on t.wallet_account = a.id
         where a.owner_id = $1 and a.kind = 'wallet' and t.reason = 'ADJUSTMENT'
           and t.created_at > (select clock_timestamp() - interval '24 hours')), 0))::bigint as moved`,
    [ownerId],
    { name: 'staff-day-sum' },
  )
  return rows[0]?.moved ?? 0n
}
