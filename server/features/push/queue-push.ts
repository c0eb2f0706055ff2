import type { PushKind } from '#domain/push/push.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { newId } from '#server/platform/process/ids.ts'

/** Seconds by which a push is delayed: a reply that is read within this time needs no push (rules §6.9). */
const DELAY_S: Readonly<Record<PushKind, number>> = { 'request-decided': 0, 'care-replied': 10, 'points-adjusted': 0 }

/**
 * Queues a push to each subscribed browser of a user, in place of a waiting push of the same kind. Does nothing if the
 * user has switched this kind off. The push is sent after the caller's commit.
 */
export async function queuePush(tx: Tx, userId: string, kind: PushKind): Promise<void> {
  await tx.query(
    `insert into push_queue (session_id, kind, id, due_at)
     select s.session_id, $2, $3::uuid, clock_timestamp() + $4 * interval '1 s'
       from push_subscriptions s left join push_preferences p on p.user_id = s.user_id
      where s.user_id = $1 and coalesce(p.${kind.replace('-', '_')}, true)
      order by s.session_id
     on conflict (session_id, kind) do update set id = excluded.id, due_at = excluded.due_at, attempts = 0,
       happened_at = clock_timestamp()`,
    [userId, kind, newId(), DELAY_S[kind]],
  )
}
