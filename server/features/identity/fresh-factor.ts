import type { Subject } from '#domain/identity/permissions.ts'
import type { FactorDeps } from '#server/features/factors/index.ts'
import type { Database, Tx } from '#server/platform/database/db.ts'

type FactorSettings = Pick<FactorDeps['settings'], 'staffSecondFactor'>

/** Records that a factor was proven in a session now. The session is no longer limited to adding or proving one. */
export async function markProven(tx: Tx, sessionId: string): Promise<void> {
  await tx.query(`update sessions set factor_at = clock_timestamp(), must_add_factor = false where id = $1`, [
    sessionId,
  ])
}

/** Limits the account's other sessions to proving its first factor, and closes the sockets of all its sessions. */
export async function askOtherSessions(tx: Tx, { userId, sessionId }: Subject): Promise<void> {
  await tx.query(
    `update sessions set must_add_factor = true, factor_at = null where user_id = $1 and ended_at is null and id <> $2`,
    [userId, sessionId],
  )
  await tx.query(`update users set access_changed_at = clock_timestamp() where id = $1`, [userId])
}

/** If the account has no factor left, removes the limit of its sessions to adding or proving one. */
export async function askNoSession(tx: Tx, userId: string): Promise<void> {
  await tx.query(
    `update sessions set must_add_factor = false
      where user_id = $1 and must_add_factor and not exists (select from staff_factors where user_id = $1)`,
    [userId],
  )
}

/**
 * Adapts sessions to the setting `staffSecondFactor` at the server's start. Unless it is `off`, an admin's session that
 * never proved the account's factor is limited to proving it. With `required`, a session of an admin without a factor
 * is limited to adding one. `off` removes these limits from all sessions, and `optional` removes them from the sessions
 * of accounts without a factor.
 */
export async function requireFactors(db: Database, { staffSecondFactor }: FactorSettings): Promise<void> {
  const isRequired = staffSecondFactor === 'required'
  if (staffSecondFactor !== 'off')
    await db.query(
      `with held as (
         update sessions s set must_add_factor = true from users u
          where u.id = s.user_id and u.role = 'admin' and s.ended_at is null and s.expires_at > clock_timestamp()
            and not s.must_add_factor
            and case when exists (select from staff_factors f where f.user_id = u.id) then s.factor_at is null else $1::boolean end
         returning s.user_id)
       update users set access_changed_at = clock_timestamp() where id in (select user_id from held)`,
      [isRequired],
    )
  if (!isRequired)
    await db.query(
      `update sessions s set must_add_factor = false
        where must_add_factor
          and ($1 or not exists (select from staff_factors f where f.user_id = s.user_id))`,
      [staffSecondFactor === 'off'],
    )
}
