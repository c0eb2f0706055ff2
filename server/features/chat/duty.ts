import { CARE_DESK } from '#domain/chat/conversation.ts'
import { AWAY_AFTER_MS, CAPACITY_DEFAULT, type Duty } from '#domain/chat/queue.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import type { Queryable, Row } from '#server/platform/database/db.ts'
import { acting } from '#server/platform/http/acting.ts'
import { isRefused, type RefusedBy } from '#server/platform/http/errors.ts'
import { logging, repeating, type Stop } from '#server/platform/process/jobs.ts'
import type { ChatContext, QueueDeps } from './ports.ts'
import { ON_DUTY } from './queries.ts'

export async function readDuty(db: Queryable, userId: string): Promise<Duty> {
  const { rows } = await db.query<Duty & Row>(
    `select is_on_duty as "isOnDuty", capacity from care_duty where user_id = $1`,
    [userId],
  )
  return rows[0] ?? { isOnDuty: false, capacity: CAPACITY_DEFAULT }
}

export async function setDuty(
  { db, queue }: Pick<ChatContext, 'db' | 'queue'>,
  subject: Subject,
  { isOnDuty, capacity }: Duty,
): Promise<Duty | RefusedBy<'setDuty'>> {
  const set = await acting(db, subject, 'staff:care', async (tx, actor) => {
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

/** Stores that an admin on duty acts now. Returns whether the admin counted as away until then. */
export async function noteActive(db: Queryable, userId: string): Promise<boolean> {
  const { rows } = await db.query<{ was_away: boolean }>(
    `with before as (select user_id, active_at from care_duty where user_id = $1 and is_on_duty for update)
     update care_duty d set active_at = clock_timestamp() from before where d.user_id = before.user_id
     returning before.active_at <= clock_timestamp() - interval '${AWAY_AFTER_MS} ms' as was_away`,
    [userId],
  )
  return rows[0]?.was_away === true
}

/**
 * Shows `CARE_DESK` to all clients as online while an admin is on duty. Every `everyMs`, each process emits the state
 * to its own sockets if the last state that they got differs. It can differ because no event is emitted when the last
 * admin goes away, is frozen or loses `care`, and because events of two processes may overtake each other.
 */
export function startDesk({ db, hub, log }: QueueDeps, everyMs: number): { emit(): Promise<void>; stop: Stop } {
  const seen = { userId: CARE_DESK.id, lastSeenAtMs: null }
  let toldLast: string | null = null
  hub.watch({
    told(_socket, name, payload) {
      const isPresence = name === 'user_online' || name === 'user_offline'
      if (isPresence && (payload as { userId: string }).userId === CARE_DESK.id) toldLast = name
    },
  })
  const read = async () =>
    (await db.query(`select 1 from ${ON_DUTY} limit 1`)).rowCount > 0 ? 'user_online' : 'user_offline'

  const compare = async (): Promise<void> => {
    const name = await read()
    if (name !== toldLast) hub.emitHere('everybody', name, seen)
    // `toldLast` is set even if no socket is connected, because a client that connects later reads the state by HTTP.
    toldLast = name
  }
  return {
    async emit() {
      const name = await read()
      hub.emitTo('everybody', name, seen)
      toldLast = name
    },
    stop: repeating(everyMs, compare, logging(log, 'Whether CSKH is online could not be compared'), { isAtOnce: true }),
  }
}
