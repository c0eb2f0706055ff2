import type { OwnSession } from '#contract/own-account.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { actingOnce } from '#server/platform/http/acting.ts'
import type { Database, Queryable } from '#server/platform/database/db.ts'
import { type RefusedBy, refuse } from '#server/platform/http/errors.ts'
import { endSession, endSessions } from './sessions.ts'

/** Most sessions that the list shows; ending "all others" ends the rest, too. */
const LISTED_AT_MOST = 100

type OwnSessionRow = Omit<OwnSession, 'createdAtMs' | 'lastUsedAtMs'> & { createdAt: Date; lastUsedAt: Date }

/** Lists a user's valid sessions, the last used first; in the user's own list `sessionId` comes first (rules §4.8). */
export async function readSessions(db: Queryable, userId: string, sessionId: string | null): Promise<OwnSession[]> {
  const { rows } = await db.query<OwnSessionRow>(
    `select id, user_agent as "userAgent", ip, id is not distinct from $2::uuid as "isCurrent", created_at as "createdAt",
            case when id = $2::uuid then clock_timestamp() else coalesce(last_used_at, created_at) end as "lastUsedAt"
       from sessions
      where user_id = $1 and ended_at is null and expires_at > clock_timestamp()
      order by "isCurrent" desc, coalesce(last_used_at, created_at) desc, id limit ${LISTED_AT_MOST}`,
    [userId, sessionId],
  )
  return rows.map(({ createdAt, lastUsedAt, ...session }) => ({
    ...session,
    createdAtMs: createdAt.getTime(),
    lastUsedAtMs: lastUsedAt.getTime(),
  }))
}

export async function endOwnSession(
  db: Database,
  subject: Subject,
  sessionId: string,
): Promise<RefusedBy<'endSession'> | null> {
  return actingOnce(db, subject, 'player', async (tx) => {
    return (await endSession(tx, subject.userId, sessionId)) ? null : refuse('NOT_FOUND')
  })
}

export async function endOtherSessions(
  db: Database,
  subject: Subject,
): Promise<RefusedBy<'endOtherSessions'> | { ended: number }> {
  return actingOnce(db, subject, 'player', async (tx) => {
    return { ended: await endSessions(tx, subject.userId, 'logout', subject.sessionId) }
  })
}

/** Ends this session; its sockets are disconnected within a second (rules §4), and its browser gets no more pushes. */
export async function logout(db: Database, { userId, sessionId }: Subject): Promise<null> {
  await db.tx((tx) => endSession(tx, userId, sessionId))
  return null
}
