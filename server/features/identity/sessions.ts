import { SESSION_DAYS } from '#contract/limits.ts'
import { issueToken } from '#server/platform/auth.ts'
import type { Param, Tx } from '#server/platform/db.ts'
import { newId } from '#server/platform/ids.ts'
import type { Origin } from './ports.ts'

/** A browser's name can be of any length; what tells them apart stands in front. */
const USER_AGENT_CHARS = 200

/** A token for a session that is about to be written, with the values of SESSION_COLUMNS but the user. */
export function newSession(userId: string, { ip, userAgent }: Origin): { token: string; values: Param[] } {
  const sessionId = newId()
  const { token, secretHash } = issueToken(userId, sessionId)
  return { token, values: [sessionId, secretHash, ip, userAgent?.slice(0, USER_AGENT_CHARS) ?? null, SESSION_DAYS] }
}

/** An insert of a session for each row of `from`, which has a column `id`; placeholders begin at `$first`. */
export const insertSession = (from: string, first: number): string =>
  `insert into sessions (user_id, id, secret_hash, ip, user_agent, expires_at)
   select id, $${first}, $${first + 1}, $${first + 2}, $${first + 3}, clock_timestamp() + $${first + 4}::int * interval '1 day'
     from ${from}`

export type EndReason = 'password-changed' | 'password-reset' | 'role-changed' | 'deleted'

/**
 * Ends the sessions of a user, all but one where `keptSessionId` names it. The user's row must be locked: who signs in
 * meanwhile waits for it and then finds the old password gone.
 */
export async function endSessions(
  tx: Tx,
  userId: string,
  reason: EndReason,
  keptSessionId: string | null = null,
): Promise<void> {
  await tx.query(
    `update sessions set ended_at = clock_timestamp(), end_reason = $2
      where user_id = $1 and ended_at is null and id is distinct from $3::uuid`,
    [userId, reason, keptSessionId],
  )
}
