import type { Subject } from '#domain/identity/permissions.ts'
import type { Database } from '#server/platform/db.ts'

/** Ends this session; its sockets are disconnected within a second (rules §4). */
export async function logout(db: Database, { sessionId }: Subject): Promise<null> {
  await db.query(
    `update sessions set ended_at = clock_timestamp(), end_reason = 'logout' where id = $1 and ended_at is null`,
    [sessionId],
  )
  return null
}
