import type { OwnFactor, StaffFactors } from '#contract/factors.ts'
import type { Queryable } from '#server/platform/database/db.ts'
import { msSql } from '#server/platform/database/rows.ts'

export async function readFactors(db: Queryable, userId: string) {
  const { rows: factors } = await db.query<OwnFactor>(
    `select id, kind, name, ${msSql('created_at')} as "createdAtMs", ${msSql('last_used_at')} as "lastUsedAtMs"
       from staff_factors where user_id = $1 order by created_at, id`,
    [userId],
  )
  const left = await db.query<{ n: bigint }>(
    `select count(*) as n from recovery_codes where user_id = $1 and used_at is null`,
    [userId],
  )
  return { factors, recoveryCodesLeft: Number(left.rows[0]?.n ?? 0n) }
}

export async function readStaffFactors(db: Queryable): Promise<StaffFactors[]> {
  const { rows } = await db.query<StaffFactors>(
    `select u.id, u.username, u.is_frozen as "isFrozen",
            (select count(*)::integer from staff_factors f where f.user_id = u.id) as factors,
            (select count(*)::integer from sessions s
              where s.user_id = u.id and s.ended_at is null and s.expires_at > clock_timestamp()) as sessions
       from users u where u.role = 'admin' and u.deleted_at is null order by u.username_key`,
  )
  return rows
}

export async function countAdminsWithout(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ n: bigint }>(
    `select count(*) as n from users u
      where u.role = 'admin' and not u.is_frozen and u.deleted_at is null
        and not exists (select from staff_factors f where f.user_id = u.id)`,
  )
  return Number(rows[0]?.n ?? 0n)
}
