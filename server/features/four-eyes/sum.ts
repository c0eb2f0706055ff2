import type { Minor } from '#domain/money.ts'
import { type SecondPersonSum, whySecondPerson } from '#domain/four-eyes/proposal.ts'
import type { Queryable } from '#server/platform/database/db.ts'
import type { FourEyes } from './ports.ts'

export interface DaySums {
  /** Moved by all admins for the player, in minor units. */
  readonly movedMinor: Minor
  /** Moved by this admin for all players, in minor units. */
  readonly byAdminMinor: Minor
}

/**
 * Sums the points moved in the last 24 hours, in either direction, by approved requests and by adjustments (including
 * corrections of disputes). While the caller holds the locks of the player's accounts and of the admin's row, the sums
 * cannot grow. The clock is read in subqueries: PostgreSQL evaluates these once, so that the comparisons use indexes.
 */
export async function readDaySums(q: Queryable, ownerId: string, adminId: string): Promise<DaySums> {
  const sums = await readDaySumsOf(q, [ownerId], adminId)
  return sums.get(ownerId) ?? { movedMinor: 0n, byAdminMinor: 0n }
}

async function readDaySumsOf(q: Queryable, ownerIds: readonly string[], adminId: string) {
  const { rows } = await q.query<{ id: string; moved: bigint; by_admin: bigint }>(
    `select o.id, (
       coalesce((select sum(amount) from cash_requests
         where owner_id = o.id and decided_by <> owner_id and status = 'approved'
           and decided_at > (select clock_timestamp() - interval '24 hours')), 0)
       + coalesce((select sum(t.amount) from ledger_accounts a join ledger_transfers t on t.wallet_account = a.id
         where a.owner_id = o.id and a.kind = 'wallet' and t.reason = 'ADJUSTMENT'
           and t.created_at > (select clock_timestamp() - interval '24 hours')), 0))::bigint as moved,
     (
       coalesce((select sum(amount) from cash_requests
         where decided_by = $2 and decided_by <> owner_id and status = 'approved'
           and decided_at > (select clock_timestamp() - interval '24 hours')), 0)
       + coalesce((select sum(amount) from ledger_transfers
         where actor = $2::uuid::text and reason = 'ADJUSTMENT'
           and created_at > (select clock_timestamp() - interval '24 hours')), 0))::bigint as by_admin
     from unnest($1::uuid[]) as o(id)`,
    [ownerIds, adminId],
    { name: 'staff-day-sums' },
  )
  return new Map(rows.map((row) => [row.id, { movedMinor: row.moved, byAdminMinor: row.by_admin }]))
}

/**
 * Returns a function that says which of the `DaySums` makes the admin's act need a second person (rules §3.10). That
 * function returns null if the act needs none.
 */
export async function foretellSecondPerson(
  q: Queryable,
  { fromMinor }: Pick<FourEyes, 'fromMinor'>,
  adminId: string,
  ownerIds: readonly string[],
): Promise<(ownerId: string, amountMinor: Minor) => SecondPersonSum | null> {
  if (fromMinor === null || ownerIds.length === 0) return () => null
  const sums = await readDaySumsOf(q, [...new Set(ownerIds)], adminId)
  return (ownerId, amountMinor) => {
    const sum = sums.get(ownerId)
    return sum === undefined ? null : whySecondPerson({ fromMinor, ...sum, amountMinor })
  }
}
