import { staffRooms } from '#contract/events.ts'
import type { Role } from '#domain/identity/permissions.ts'
import type { Database, Param, Row } from '#server/platform/database/db.ts'
import { monotonicMs } from '#server/platform/process/clock.ts'
import { newId } from '#server/platform/process/ids.ts'
import { repeating } from '#server/platform/process/jobs.ts'
import type { ClientSocket } from '#server/platform/sockets/socket-hub.ts'
import type { ChatDeps } from './ports.ts'

/** A lease ends this many seconds after its last renewal. The process then counts as dead. */
const LEASE_S = 15
const RENEW_EVERY_MS = 4_000
/** A user who reconnects within this time after their last socket closed is not reported as offline (rules §7.6). */
const GRACE_MS = 10_000
/** Changes are written in batches: if all sockets of a dead process reconnect, single writes would be too many. */
const FLUSH_EVERY_MS = 250

/**
 * Key of the advisory lock on presence. Arrivals share the lock, a departure takes it exclusively. So if a user leaves
 * two processes at once, or leaves one and arrives at another, the later transaction sees what the earlier one wrote.
 */
const PRESENCE_LOCK = 5_107_243

interface Here {
  readonly role: Role
  sockets: number
  leftAtMs: number | null
  isWritten: boolean
}

/**
 * Tracks across processes which users are online (rules §7.6). Each process keeps one row as its lease and one row for
 * each of its users. A user is online while a process whose lease has not ended has a row for that user.
 */
// oxlint-disable-next-line max-lines-per-function -- parts over one state (decision 036)
export function startPresence(
  { db, hub, log }: Pick<ChatDeps, 'db' | 'hub' | 'log'>,
  { nowMs = monotonicMs, flushEveryMs = FLUSH_EVERY_MS }: { nowMs?: () => number; flushEveryMs?: number } = {},
): { stop(): Promise<void> } {
  const lease = createLease(db)
  const users = watchUsers(hub, nowMs)
  let renewedAtMs = Number.NEGATIVE_INFINITY

  /** Runs several times a second, so it uses `forEach`, which makes no array for each entry as `for ... of` does. */
  const usersWho = (matches: (here: Here) => boolean): Array<readonly [userId: string, here: Here]> => {
    const found: Array<readonly [string, Here]> = []
    users.forEach((here, userId) => matches(here) && found.push([userId, here]))
    return found
  }

  const show = (name: 'user_online' | 'user_offline', rows: readonly PresenceRow[]): void => {
    for (const { user_id: userId, role, at } of rows)
      hub.emitTo(role === 'admin' ? 'everybody' : staffRooms[name], name, { userId, lastSeenAtMs: at.getTime() })
  }

  async function renew(): Promise<void> {
    const isAnew = await lease.renew()
    // A new lease has a new process id, so the users who are connected here are written again under that id.
    if (isAnew) for (const here of users.values()) here.isWritten = false
    renewedAtMs = nowMs()
  }

  async function writeArrivals(): Promise<void> {
    const arrived = usersWho(({ isWritten, sockets }) => !isWritten && sockets > 0)
    if (arrived.length === 0) return
    for (const [, here] of arrived) here.isWritten = true
    const ids = arrived.map(([userId]) => userId)
    try {
      show('user_online', await arrive(db, lease.processId(), ids))
    } catch (error) {
      for (const [, here] of arrived) here.isWritten = false
      throw error
    }
  }

  async function writeDepartures(): Promise<void> {
    const untilMs = nowMs() - GRACE_MS
    const left = usersWho(({ leftAtMs }) => leftAtMs !== null && leftAtMs <= untilMs)
    if (left.length === 0) return
    // `isWritten` is reset first, so that a user who returns is written as an arrival even if `depart` fails.
    for (const [, here] of left) here.isWritten = false
    const ids = left.map(([userId]) => userId)
    show('user_offline', await depart(db, LEFT_HERE, [lease.processId(), ids]))
    for (const [userId, here] of left) if (here.sockets === 0) users.delete(userId)
  }

  /** Deletes dead processes, and reports as offline those of their users who are connected to no other process. */
  async function buryDead(): Promise<void> {
    const { rows } = await db.query<{ process_id: string }>(
      `select process_id from presence_processes where lease_until < clock_timestamp()`,
      [],
      { name: 'presence-dead' },
    )
    for (const dead of rows) show('user_offline', await depart(db, LEFT_BY_DEATH, [dead.process_id]))
  }

  async function beat(): Promise<void> {
    const isRenewalDue = nowMs() - renewedAtMs >= RENEW_EVERY_MS
    if (isRenewalDue) await renew()
    // `buryDead` may delete an earlier lease of this process, whose users are still connected. They are written under
    // the new lease first, so that they are not reported as offline.
    await writeArrivals()
    if (isRenewalDue) await buryDead()
    await writeDepartures()
  }
  const stopBeating = repeating(flushEveryMs, beat, (error, isAgain) => {
    if (!isAgain) log.warn({ err: error }, 'Presence could not be written')
    // Other processes may have declared this process dead meanwhile, so the next `beat` renews the lease.
    renewedAtMs = Number.NEGATIVE_INFINITY
  })

  return {
    async stop() {
      await stopBeating()
      await lease.shorten().catch(() => {})
    },
  }
}

function createLease(db: Database) {
  let processId = newId()
  return {
    processId: () => processId,
    /** Renews the lease. Returns true if there was none or it had ended: the process then has a new lease and id. */
    renew: async (): Promise<boolean> => {
      const { rowCount } = await db.query(
        `update presence_processes set lease_until = clock_timestamp() + interval '${LEASE_S} s'
          where process_id = $1 and lease_until > clock_timestamp()`,
        [processId],
        { name: 'presence-renew' },
      )
      if (rowCount > 0) return false
      processId = newId()
      await db.query(
        `insert into presence_processes (process_id, lease_until) values ($1, clock_timestamp() + interval '${LEASE_S} s')`,
        [processId],
      )
      return true
    },
    /** Shortens the lease to the grace period, after which another process reports users who stayed away as offline. */
    shorten: () =>
      db.query(
        `update presence_processes set lease_until = clock_timestamp() + interval '${GRACE_MS} ms' where process_id = $1`,
        [processId],
      ),
  }
}

/** Returns the users connected to this process. A user who left stays in the map until the departure is written. */
function watchUsers(hub: ChatDeps['hub'], nowMs: () => number): Map<string, Here> {
  const users = new Map<string, Here>()
  hub.watch({
    opened({ subject }: ClientSocket) {
      const here: Here = users.get(subject.userId) ?? {
        role: subject.role,
        sockets: 0,
        leftAtMs: null,
        isWritten: false,
      }
      here.sockets++
      here.leftAtMs = null
      users.set(subject.userId, here)
    },
    closed({ subject }: ClientSocket) {
      const here = users.get(subject.userId)
      if (here === undefined) return
      here.sockets--
      if (here.sockets === 0) here.leftAtMs = nowMs()
    },
  })
  return users
}

interface PresenceRow extends Row {
  readonly user_id: string
  readonly role: Role
  readonly at: Date
}

/** Runs a statement after it has taken the presence lock, so it sees rows written during the wait for the lock. */
const locked = (
  db: Database,
  lock: 'pg_advisory_xact_lock' | 'pg_advisory_xact_lock_shared',
  text: string,
  params: readonly Param[],
): Promise<PresenceRow[]> =>
  db.tx(async (tx) => {
    await tx.query(`select ${lock}(${PRESENCE_LOCK})`)
    return (await tx.query<PresenceRow>(text, params)).rows
  })

/** Writes that users are connected to this process. Returns those who were connected to no process before. */
const arrive = (db: Database, processId: string, userIds: readonly string[]): Promise<PresenceRow[]> =>
  locked(
    db,
    'pg_advisory_xact_lock_shared',
    `with before as (
       select distinct o.user_id from presence_users o join presence_processes l using (process_id)
        where o.user_id = any($2::uuid[]) and l.lease_until > clock_timestamp()),
     arrived as (
       insert into presence_users (process_id, user_id) select $1, unnest($2::uuid[]) on conflict do nothing)
     select u.id as user_id, u.role, clock_timestamp() as at from users u
      where u.id = any($2::uuid[]) and u.id not in (select user_id from before)`,
    [processId, userIds],
  )

const LEFT_HERE = `with left_here as (
    delete from presence_users where process_id = $1 and user_id = any($2::uuid[]) returning user_id)`

const LEFT_BY_DEATH = `with dead as (
    delete from presence_processes where process_id = $1 and lease_until < clock_timestamp() returning process_id),
  left_here as (select user_id from presence_users where process_id in (select process_id from dead))`

/**
 * SQL that stores the last-seen time of those users in `left_here` who are connected to no other process, and returns
 * these users. Rows that the statement itself deletes are still visible in it, so rows of process $1 are excluded.
 */
const OFFLINE_AFTER = `, gone as (
    select distinct g.user_id from left_here g where not exists (
      select from presence_users o join presence_processes l using (process_id)
       where o.user_id = g.user_id and o.process_id <> $1 and l.lease_until > clock_timestamp())),
  seen as (
    insert into presence_last_seen (user_id, seen_at) select user_id, clock_timestamp() from gone
    on conflict (user_id) do update set seen_at = excluded.seen_at)
  select u.id as user_id, u.role, clock_timestamp() as at from gone join users u on u.id = gone.user_id`

const depart = (db: Database, leftHere: string, params: readonly Param[]): Promise<PresenceRow[]> =>
  locked(db, 'pg_advisory_xact_lock', leftHere + OFFLINE_AFTER, params)
