import { SESSION_DAYS } from '#contract/limits.ts'
import { dropChallenges } from '#server/features/factors/index.ts'
import { dropSubscriptionOf, dropSubscriptions } from '#server/features/push/index.ts'
import { issueToken } from '#server/platform/http/auth.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { newId } from '#server/platform/process/ids.ts'
import { sql } from '#server/platform/database/sql.ts'
import type { Device } from './known-devices.ts'
import type { Origin } from './ports.ts'

/** How many characters of a user agent are stored: it can be of any length, and its distinctive part comes first. */
const USER_AGENT_CHARS = 200

/** Makes the token of a session that is still to be written, and the values of INSERT_SESSION and REMEMBER_DEVICE. */
export function newSession(
  userId: string,
  { ip, userAgent }: Origin,
  device: Device,
  { isFactorProven = false, mustAddFactor = false } = {},
) {
  const sessionId = newId()
  const { token, secretHash } = issueToken(userId, sessionId)
  return {
    token,
    values: {
      sessionId,
      secretHash,
      deviceHash: device.secretHash,
      ip,
      userAgent: userAgent?.slice(0, USER_AGENT_CHARS) ?? null,
      isFactorProven,
      mustAddFactor,
    },
  }
}

/** The end of a statement with a CTE `u` of user ids: inserts a session for each of them. */
export const INSERT_SESSION = sql`
   insert into sessions (user_id, id, secret_hash, device_hash, ip, user_agent, factor_at, must_add_factor, expires_at)
   select id, ${'sessionId'}::uuid, ${'secretHash'}::bytea, ${'deviceHash'}::bytea, ${'ip'}::text, ${'userAgent'}::text,
       case when ${'isFactorProven'}::boolean then clock_timestamp() end, ${'mustAddFactor'}::boolean,
       clock_timestamp() + ${SESSION_DAYS} * interval '1 day'
     from u`

export type EndReason = 'logout' | 'password-changed' | 'password-reset' | 'role-changed' | 'deleted'

/**
 * Ends all sessions of a user except `keptSessionId`, deletes their push subscriptions and all pending factor steps,
 * and returns how many of the sessions were valid. The caller has locked the user's row: a simultaneous sign-in waits
 * for the lock and then sees a changed password or role.
 */
export async function endSessions(
  tx: Tx,
  userId: string,
  reason: EndReason,
  keptSessionId: string | null = null,
): Promise<number> {
  const { rows } = await tx.query<{ was_valid: boolean }>(
    `update sessions set ended_at = clock_timestamp(), end_reason = $2
      where user_id = $1 and ended_at is null and id is distinct from $3::uuid
     returning expires_at > clock_timestamp() as was_valid`,
    [userId, reason, keptSessionId],
  )
  await dropSubscriptions(tx, userId, keptSessionId)
  await dropChallenges(tx, userId)
  return rows.filter((row) => row.was_valid).length
}

/** Ends one session as a sign-out there would; returns false if the user has no such valid session. */
export async function endSession(tx: Tx, userId: string, sessionId: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update sessions set ended_at = clock_timestamp(), end_reason = 'logout'
      where id = $2 and user_id = $1 and ended_at is null and expires_at > clock_timestamp()`,
    [userId, sessionId],
  )
  if (rowCount === 0) return false
  await dropSubscriptionOf(tx, sessionId)
  return true
}
