import type { Subject } from '#domain/identity/permissions.ts'
import { dropSubscriptionOf } from '#server/features/push/index.ts'
import type { Database } from '#server/platform/database/db.ts'

/** Ends this session; its sockets are disconnected within a second (rules §4), and its browser gets no more pushes. */
export async function logout(db: Database, { sessionId }: Subject): Promise<null> {
  return db.tx(async (tx) => {
    await tx.query(
      `update sessions set ended_at = clock_timestamp(), end_reason = 'logout' where id = $1 and ended_at is null`,
      [sessionId],
    )
    await dropSubscriptionOf(tx, sessionId)
    return null
  })
}
