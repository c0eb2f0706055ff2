import { CARE_DESK } from '#domain/chat/conversation.ts'
import { AWAY_AFTER_MS, CAPACITY_DEFAULT, type Duty } from '#domain/chat/queue.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import type { Database, Queryable, Row } from '#server/platform/database/db.ts'
import { lockSubject } from '#server/platform/http/auth.ts'
import { isRefused, type RefusedBy } from '#server/platform/http/errors.ts'
import { retrying } from '#server/platform/process/retrying.ts'
import type { ChatContext, ChatDeps } from './ports.ts'
import { ON_DUTY } from './queries.ts'

/** Whether an admin is on duty, and how much they take (docs/rules.md §7.13). */
export async function readDuty(db: Queryable, userId: string): Promise<Duty> {
  const { rows } = await db.query<Duty & Row>(
    `select is_on_duty as "isOnDuty", capacity from care_duty where user_id = $1`,
    [userId],
  )
  return rows[0] ?? { isOnDuty: false, capacity: CAPACITY_DEFAULT }
}

/** Goes on duty or off it. An admin who goes on duty is given conversations that wait in the queue. */
export async function setDuty(
  { db, queue }: Pick<ChatContext, 'db' | 'queue'>,
  subject: Subject,
  { isOnDuty, capacity }: Duty,
): Promise<Duty | RefusedBy<'setDuty'>> {
  const set = await retrying(db, async (tx) => {
    const actor = await lockSubject(tx, subject, 'staff:care')
    if (isRefused(actor)) return actor
    await tx.query(
      `insert into care_duty (user_id, is_on_duty, capacity) values ($1, $2, $3)
       on conflict (user_id) do update set is_on_duty = excluded.is_on_duty, capacity = excluded.capacity,
         active_at = clock_timestamp()`,
      [actor.userId, isOnDuty, capacity],
    )
    return { isOnDuty, capacity }
  })
  if (!isRefused(set)) queue.emitDuty()
  return set
}

/** Notes an act of an admin who is on duty; returns true where they were away until then. */
export async function noteActive(db: Queryable, userId: string): Promise<boolean> {
  const { rows } = await db.query<{ was_away: boolean }>(
    `with before as (select user_id, active_at from care_duty where user_id = $1 and is_on_duty for update)
     update care_duty d set active_at = clock_timestamp() from before where d.user_id = before.user_id
     returning before.active_at <= clock_timestamp() - interval '${AWAY_AFTER_MS} ms' as was_away`,
    [userId],
  )
  return rows[0]?.was_away === true
}

/** Tells every client whether any admin is on duty: `CARE_DESK` is shown as online then. No client learns who it is. */
export async function emitDesk({ db, hub }: { readonly db: Database; readonly hub: ChatDeps['hub'] }): Promise<void> {
  const { rowCount } = await db.query(`select 1 from ${ON_DUTY} limit 1`)
  const seen = { userId: CARE_DESK.id, lastSeenAtMs: null }
  hub.emitTo('everybody', rowCount > 0 ? 'user_online' : 'user_offline', seen)
}
