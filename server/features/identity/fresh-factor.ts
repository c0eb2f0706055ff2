import type { Subject } from '#domain/identity/permissions.ts'
import type { FactorDeps } from '#server/features/factors/index.ts'
import type { Queryable, Tx } from '#server/platform/db.ts'
import type { Database } from '#server/platform/db.ts'

/** How long a proven factor counts, for acts that need a fresh one (rules §4.10). */
const FRESH_MINUTES = 15

type FactorSettings = Pick<FactorDeps['settings'], 'staffSecondFactor'>

/**
 * The rule of calls that need a fresh second factor: proven in this session in the last 15 minutes. It passes an account
 * without one while none is required, and everybody where the second factor is off.
 */
export const createFactorGate =
  (db: Queryable, { staffSecondFactor }: FactorSettings) =>
  async ({ userId, sessionId }: Subject): Promise<boolean> => {
    if (staffSecondFactor === 'off') return true
    const { rows } = await db.query<{ is_fresh: boolean; has_some: boolean }>(
      `select coalesce(factor_at > clock_timestamp() - ${FRESH_MINUTES} * interval '1 minute', false) as is_fresh,
              exists (select from staff_factors where user_id = $2) as has_some
         from sessions where id = $1`,
      [sessionId, userId],
      { name: 'fresh-factor' },
    )
    // A session that must add its first factor reaches no other call.
    return rows[0]?.is_fresh === true || rows[0]?.has_some === false
  }

/** Counts a factor as proven in this session now; it may then do more than add one. */
export async function markProven(tx: Tx, sessionId: string): Promise<void> {
  await tx.query(`update sessions set factor_at = clock_timestamp(), must_add_factor = false where id = $1`, [
    sessionId,
  ])
}

/**
 * Brings sessions that began under another setting in line with this one, at the start: where a factor is required,
 * sessions of admins without one may do nothing but add it; where it is not, every session is free of that.
 */
export async function requireFactors(db: Database, { staffSecondFactor }: FactorSettings): Promise<void> {
  await db.query(
    staffSecondFactor === 'required'
      ? `with held as (
           update sessions s set must_add_factor = true from users u
            where u.id = s.user_id and u.role = 'admin' and s.ended_at is null and s.expires_at > clock_timestamp()
              and not s.must_add_factor and not exists (select from staff_factors f where f.user_id = u.id)
           returning s.user_id)
         update users set access_changed_at = clock_timestamp() where id in (select user_id from held)`
      : `update sessions set must_add_factor = false where must_add_factor`,
  )
}
