import type { Socket } from 'socket.io'
import * as z from 'zod/mini'
import { serverEvents } from '#contract/events.ts'
import type { Database, Row } from '#server/platform/database/db.ts'
import type { SignedIn } from '#server/platform/http/auth.ts'
import { monotonicMs } from '#server/platform/process/clock.ts'

/** A change is timestamped before its commit. So a sweep also reads the changes of this time before the last sweep. */
const SWEEP_OVERLAP_MS = 60_000

export type HubSocket = Socket<
  Record<string, never>,
  Record<string, (payload: unknown) => void>,
  Record<string, never>,
  SignedIn
>

interface SweepRow extends Row {
  now: Date
  session_id: string | null
  reason: string | null
  user_id: string | null
  changed_at: Date | null
}

/**
 * Returns a function that closes each socket whose session is over, or whose user's access changed. The function asks
 * the database, because messages about such changes could be lost.
 */
export function createSweep(db: Database, sockets: ReadonlySet<HubSocket>): () => Promise<void> {
  let lastSweptMs = monotonicMs()
  return async () => {
    const startedMs = monotonicMs()
    if (sockets.size > 0) {
      const { rows } = await db.query<SweepRow>(
        `with since as (select clock_timestamp() as now, clock_timestamp() - $1::int * interval '1 ms' as at)
         select now, s.id as session_id, s.end_reason as reason, null::uuid as user_id, null::timestamptz as changed_at
           from since left join sessions s on s.ended_at > since.at
         union all
         select now, null, null, u.id, u.access_changed_at
           from since join users u on u.access_changed_at > since.at`,
        [Math.ceil(startedMs - lastSweptMs) + SWEEP_OVERLAP_MS],
        { name: 'sweep-sockets' },
      )
      closeStale(sockets, rows)
    }
    lastSweptMs = startedMs
  }
}

function closeStale(sockets: ReadonlySet<HubSocket>, rows: readonly SweepRow[]): void {
  const nowMs = rows[0]?.now.getTime() ?? 0
  const endedSessions = new Map<string, string>()
  const changedUsers = new Map<string, number>()
  for (const row of rows) {
    if (row.session_id !== null) endedSessions.set(row.session_id, row.reason ?? 'ended')
    if (row.user_id !== null && row.changed_at !== null) changedUsers.set(row.user_id, row.changed_at.getTime())
  }
  for (const socket of sockets) {
    const { expiresAtMs, accessChangedAtMs } = socket.data
    const { sessionId, userId } = socket.data.subject
    const reason = endedSessions.get(sessionId) ?? (expiresAtMs <= nowMs ? 'expired' : undefined)
    const changedAtMs = changedUsers.get(userId)
    const isChanged = changedAtMs !== undefined && changedAtMs !== accessChangedAtMs
    if (isChanged) socket.emit('account_changed', z.encode(serverEvents.account_changed, {}))
    if (reason !== undefined) socket.emit('session_ended', z.encode(serverEvents.session_ended, { reason }))
    if (isChanged || reason !== undefined) socket.disconnect(true)
  }
}
