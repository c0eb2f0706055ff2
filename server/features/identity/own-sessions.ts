import type { OwnSession } from '#contract/own-account.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { actingOnce } from '#server/platform/http/acting.ts'
import type { Database, Queryable } from '#server/platform/database/db.ts'
import { msSql } from '#server/platform/database/rows.ts'
import { refuse } from '#server/platform/http/errors.ts'
import { endSession, endSessions } from './sessions.ts'

const LISTED_AT_MOST = 100

/** Returns a user's valid sessions: first the one with `sessionId`, then the others, last used first (rules §4.8). */
export async function readSessions(db: Queryable, userId: string, sessionId: string | null): Promise<OwnSession[]> {
  const lastUsedAt = 'case when id = $2::uuid then clock_timestamp() else coalesce(last_used_at, created_at) end'
  const { rows } = await db.query<OwnSession>(
    `select id, user_agent as "userAgent", ip, id is not distinct from $2::uuid as "isCurrent",
            ${msSql('created_at')} as "createdAtMs", ${msSql(lastUsedAt)} as "lastUsedAtMs"
       from sessions
      where user_id = $1 and ended_at is null and expires_at > clock_timestamp()
      order by "isCurrent" desc, coalesce(last_used_at, created_at) desc, id limit ${LISTED_AT_MOST}`,
    [userId, sessionId],
  )
  return rows
}

export const endOwnSession = (db: Database, subject: Subject, sessionId: string) =>
  actingOnce(db, subject, 'player', async (tx) =>
    (await endSession(tx, subject.userId, sessionId)) ? null : refuse('NOT_FOUND'),
  )

export const endOtherSessions = (db: Database, subject: Subject) =>
  actingOnce(db, subject, 'player', async (tx) => ({
    ended: await endSessions(tx, subject.userId, 'logout', subject.sessionId),
  }))

/** Ends the caller's session. Closes its sockets within a second (rules §4.1), and deletes its push subscription. */
export async function logout(db: Database, { userId, sessionId }: Subject): Promise<null> {
  await db.tx((tx) => endSession(tx, userId, sessionId))
  return null
}
