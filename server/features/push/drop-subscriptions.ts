import type { Database, Queryable, Tx } from '#server/platform/database/db.ts'

/**
 * Deletes the subscription of a session. An act that ends the session calls this in its own transaction: pushes after a
 * sign-out must not reach the browser's next user. Switching off pushes alone needs no transaction.
 */
export const dropSubscriptionOf = (db: Queryable, sessionId: string): Promise<unknown> =>
  db.query(`delete from push_subscriptions where session_id = $1`, [sessionId])

export const dropSubscriptions = (tx: Tx, userId: string, keptSessionId: string | null = null): Promise<unknown> =>
  tx.query(`delete from push_subscriptions where user_id = $1 and session_id is distinct from $2::uuid`, [
    userId,
    keptSessionId,
  ])

export async function dropExpiredSubscriptions(db: Database): Promise<number> {
  const { rowCount } = await db.query(
    `delete from push_subscriptions p using sessions s
      where s.id = p.session_id and (s.ended_at is not null or s.expires_at <= clock_timestamp())`,
  )
  return rowCount
}
