import { staffRooms } from '#contract/events.ts'
import type { Role } from '#domain/identity/permissions.ts'
import type { Param } from '#server/platform/db.ts'
import { monotonicMs } from '#server/platform/clock.ts'
import { newId } from '#server/platform/ids.ts'
import type { ClientSocket } from '#server/platform/socket-hub.ts'
import type { ChatDeps } from './ports.ts'

/** A process that has not renewed its lease for this long is dead, and its users are offline (rules §7). */
const LEASE_S = 15
const RENEW_EVERY_MS = 4_000
/** A user who reconnects within this time was never offline. */
const GRACE_MS = 10_000
/** Changes are written in batches: when a process dies, thousands of sockets move at once. */
const FLUSH_EVERY_MS = 250

/** Key of the advisory lock that serialises departures. */
const DEPARTURE_LOCK = 5_107_243

interface Here {
  readonly role: Role
  sockets: number
  /** When the user's last socket closed; null while one is open. */
  leftAtMs: number | null
  isWritten: boolean
}

/**
 * Presence of users, by sockets and across processes. Each process keeps one row as its lease and one row for each of
 * its users. A user's first row makes them online, the end of the last one offline. Admins' presence is emitted to
 * everybody, a player's to admins with `care`.
 */
export function startPresence(
  { db, hub, log }: Pick<ChatDeps, 'db' | 'hub' | 'log'>,
  { nowMs = monotonicMs, flushEveryMs = FLUSH_EVERY_MS }: { nowMs?: () => number; flushEveryMs?: number } = {},
): { stop(): Promise<void> } {
  let processId = newId()
  const users = new Map<string, Here>()
  let renewedAtMs = Number.NEGATIVE_INFINITY

  const tell = (name: 'user_online' | 'user_offline', rows: ReadonlyArray<PresenceRow>): void => {
    for (const { user_id: userId, role, at } of rows)
      hub.emitTo(role === 'admin' ? 'everybody' : staffRooms[name], name, { userId, lastSeenAtMs: at.getTime() })
  }

  hub.watch({
    opened({ subject }: ClientSocket) {
      const here = users.get(subject.userId)
      if (here === undefined)
        users.set(subject.userId, { role: subject.role, sockets: 1, leftAtMs: null, isWritten: false })
      else {
        here.sockets++
        here.leftAtMs = null
      }
    },
    closed({ subject }: ClientSocket) {
      const here = users.get(subject.userId)
      if (here === undefined) return
      here.sockets--
      if (here.sockets === 0) here.leftAtMs = nowMs()
    },
  })

  async function renew(): Promise<void> {
    const { rowCount } = await db.query(
      `update presence_processes set lease_until = clock_timestamp() + interval '${LEASE_S} s'
        where process_id = $1 and lease_until > clock_timestamp()`,
      [processId],
      { name: 'presence-renew' },
    )
    if (rowCount === 0) {
      // Either the first run, or this process was suspended so long that the others declared it dead. It takes a new
      // process id, and all its connected users are written again.
      processId = newId()
      for (const here of users.values()) here.isWritten = false
      await db.query(
        `insert into presence_processes (process_id, lease_until) values ($1, clock_timestamp() + interval '${LEASE_S} s')`,
        [processId],
      )
    }
    renewedAtMs = nowMs()
  }

  async function writeArrivals(): Promise<void> {
    const arrived = [...users].filter(([, here]) => !here.isWritten && here.sockets > 0)
    if (arrived.length === 0) return
    for (const [, here] of arrived) here.isWritten = true
    const ids = arrived.map(([userId]) => userId)
    try {
      const { rows } = await db.query<PresenceRow>(
        `with before as (
           select distinct o.user_id from presence_users o join presence_processes l using (process_id)
            where o.user_id = any($2::uuid[]) and l.lease_until > clock_timestamp()),
         arrived as (
           insert into presence_users (process_id, user_id) select $1, unnest($2::uuid[]) on conflict do nothing)
         select u.id as user_id, u.role, clock_timestamp() as at from users u
          where u.id = any($2::uuid[]) and u.id not in (select user_id from before)`,
        [processId, ids],
        { name: 'presence-arrive' },
      )
      tell('user_online', rows)
    } catch (error) {
      for (const [, here] of arrived) here.isWritten = false
      throw error
    }
  }

  async function writeDepartures(): Promise<void> {
    const untilMs = nowMs() - GRACE_MS
    const left = [...users].filter(([, { leftAtMs }]) => leftAtMs !== null && leftAtMs <= untilMs)
    if (left.length === 0) return
    for (const [userId] of left) users.delete(userId)
    const { rows } = await departing(
      `with left_here as (delete from presence_users where process_id = $1 and user_id = any($2::uuid[]) returning user_id)`,
      [processId, left.map(([userId]) => userId)],
    )
    tell('user_offline', rows)
  }

  /**
   * One departure at a time: when a user leaves two processes at once, the later transaction must see that the other
   * row is gone.
   */
  const departing = (leftHere: string, params: readonly Param[]) =>
    db.tx(async (tx) => {
      await tx.query(`select pg_advisory_xact_lock(${DEPARTURE_LOCK})`)
      return tx.query<PresenceRow>(leftHere + OFFLINE_AFTER, params)
    })

  /** Removes the users of dead processes. When several processes try, exactly one gets each dead process. */
  async function buryDead(): Promise<void> {
    const { rows: dead } = await db.query<{ process_id: string }>(
      `select process_id from presence_processes where lease_until < clock_timestamp()`,
      [],
      { name: 'presence-dead' },
    )
    for (const { process_id: deadId } of dead) {
      const { rows } = await departing(
        `with dead as (delete from presence_processes where process_id = $1 and lease_until < clock_timestamp() returning process_id),
         left_here as (select user_id from presence_users where process_id in (select process_id from dead))`,
        [deadId],
      )
      tell('user_offline', rows)
    }
  }

  let isFailing = false
  let isStopped = false
  async function beat(): Promise<void> {
    if (nowMs() - renewedAtMs >= RENEW_EVERY_MS) {
      await renew()
      await buryDead()
    }
    await writeArrivals()
    await writeDepartures()
  }
  let beating: Promise<void> = Promise.resolve()
  let isBeating = false
  const timer = setInterval(() => {
    if (isBeating || isStopped) return
    isBeating = true
    beating = beat()
      .then(
        () => void (isFailing = false),
        (error: unknown) => {
          if (!isFailing) log.warn({ err: error }, 'Presence could not be written')
          isFailing = true
          // The other processes may have declared this one dead: check at once.
          renewedAtMs = Number.NEGATIVE_INFINITY
        },
      )
      .finally(() => void (isBeating = false))
  }, flushEveryMs)
  timer.unref()

  return {
    /**
     * Shortens the lease to the grace period. Another process then reports the users as offline, except those connected
     * elsewhere.
     */
    async stop() {
      isStopped = true
      clearInterval(timer)
      await beating
      await db
        .query(
          `update presence_processes set lease_until = clock_timestamp() + interval '${GRACE_MS} ms' where process_id = $1`,
          [processId],
        )
        .catch(() => {})
    },
  }
}

interface PresenceRow {
  readonly [column: string]: unknown
  readonly user_id: string
  readonly role: Role
  readonly at: Date
}

/**
 * Of the users who left this process, those without another process are offline: sets their last-seen time. Reads the
 * data as of the statement's start.
 */
const OFFLINE_AFTER = `, gone as (
    select distinct g.user_id from left_here g where not exists (
      select from presence_users o join presence_processes l using (process_id)
       where o.user_id = g.user_id and o.process_id <> $1 and l.lease_until > clock_timestamp())),
  seen as (
    insert into presence_last_seen (user_id, seen_at) select user_id, clock_timestamp() from gone
    on conflict (user_id) do update set seen_at = excluded.seen_at)
  select u.id as user_id, u.role, clock_timestamp() as at from gone join users u on u.id = gone.user_id`
