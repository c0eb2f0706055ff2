import type { Database, Queryable, Tx } from '#server/platform/database/db.ts'

/** An act that ends a session calls this in its transaction, so that no push reaches the browser's next user. */
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
