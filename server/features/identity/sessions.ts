import { SESSION_DAYS } from '#contract/limits.ts'
import { dropChallenges } from '#server/features/factors/index.ts'
import { dropSubscriptionOf, dropSubscriptions } from '#server/features/push/index.ts'
import { issueToken } from '#server/platform/http/auth.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { newId } from '#server/platform/process/ids.ts'
import { sql } from '#server/platform/database/sql.ts'
import type { Device } from './known-devices.ts'
import type { Origin } from './ports.ts'

/** Number of characters stored of a user agent, which may be longer. */
const USER_AGENT_CHARS = 200

/** Makes a new session's token, and the values of session and device for INSERT_SESSION and REMEMBER_DEVICE. */
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

/** The end of an SQL statement: inserts a session for each user id of the statement's CTE `u`. */
export const INSERT_SESSION = sql`
   insert into sessions (user_id, id, secret_hash, device_hash, ip, user_agent, factor_at, must_add_factor, expires_at)
   select id, ${'sessionId'}::uuid, ${'secretHash'}::bytea, ${'deviceHash'}::bytea, ${'ip'}::text, ${'userAgent'}::text,
       case when ${'isFactorProven'}::boolean then clock_timestamp() end, ${'mustAddFactor'}::boolean,
       clock_timestamp() + ${SESSION_DAYS} * interval '1 day'
     from u`

export type EndReason = 'logout' | 'password-changed' | 'password-reset' | 'role-changed' | 'deleted'

/**
 * Ends all sessions of a user except `keptSessionId`. Deletes their push subscriptions and all pending challenges of
 * the user. Returns how many of the ended sessions were valid. The caller has locked the user's row, so that no sign-in
 * opens a session meanwhile.
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

/** Ends one session, as a logout in that session would. Returns false if the user has no valid session with this id. */
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
