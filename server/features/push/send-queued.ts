import { pushMessages } from '#contract/push.ts'
import { type PushKind, pushRetryMs, quietUntilMs } from '#domain/push/push.ts'
import type { Database } from '#server/platform/database/db.ts'
import type { Logger } from '#server/platform/process/log.ts'
import { logging, repeating } from '#server/platform/process/jobs.ts'
import { dropExpiredSubscriptions } from './drop-subscriptions.ts'
import { PREFERENCES_COLUMNS, type PreferencesRow, toPreferences } from './preferences.ts'
import { type PushTarget, type SendPush, topicOf } from './send-push.ts'

const LOOK_EVERY_MS = 1_000
const DROP_EVERY_MS = 60_000
const AT_ONCE = 20
/** For this many seconds, no other process takes a row that one process has taken. An attempt takes less time. */
const LEASE_S = 60
/** A push about an event older than this is not sent any more. */
const NEWS_FOR_S = 86_400

interface QueuedRow extends PreferencesRow {
  session_id: string
  kind: PushKind
  id: string
  attempts: number
  now: Date
  age_s: number
  /** Null if the session has ended, its user is frozen or deleted, or the browser is not subscribed any more. */
  endpoint: string | null
  p256dh: string | null
  auth_secret: string | null
  is_news: boolean
}

/**
 * SQL that takes pushes that are due: no other process takes them during the lease. `is_news` is false if the user has
 * read about the event. A reply counts as read if no message of staff is unread. Any other event counts as read if the
 * user's read mark reaches to 1 s before the push was queued, since the event's notice is slightly older.
 */
const CLAIM = `with due as (
    select session_id, kind from push_queue where due_at <= clock_timestamp()
     order by due_at limit $1 for update skip locked),
  claimed as (
    update push_queue q set attempts = q.attempts + 1, due_at = clock_timestamp() + ${LEASE_S} * interval '1 s'
      from due where q.session_id = due.session_id and q.kind = due.kind
    returning q.session_id, q.kind, q.id, q.attempts, q.happened_at)
  select c.session_id, c.kind, c.id, c.attempts, clock_timestamp() as now,
      extract(epoch from clock_timestamp() - c.happened_at)::float8 as age_s,
      s.endpoint, s.p256dh, s.auth_secret, ${PREFERENCES_COLUMNS},
      case when c.kind <> 'care-replied' then not exists (
        select from notice_marks n where n.user_id = s.user_id
           and n.read_through >= c.happened_at - interval '1 s')
      else exists (
        select from conversations v
          left join conversation_members m on m.conversation_id = v.id and m.user_id = s.user_id
          join messages t on t.conversation_id = v.id and t.sender_id <> s.user_id
            and t.seq > greatest(m.read_seq, m.hidden_through_seq, 0) and (t.seq <@ m.read_apart) is not true
         where v.player_id = s.user_id) end as is_news
    from claimed c
    left join (push_subscriptions s
      join sessions e on e.id = s.session_id and e.ended_at is null and e.expires_at > clock_timestamp()
      join users u on u.id = s.user_id and u.deleted_at is null and not u.is_frozen) on s.session_id = c.session_id
    left join push_preferences p on p.user_id = s.user_id`

export interface QueueDeps {
  readonly db: Database
  readonly send: SendPush
  readonly log: Logger
}

export interface QueueSender {
  sendDue: () => Promise<void>
  readonly counters: { sent: number; failed: number }
  /** Stops the sending, and aborts the attempts under way: their rows are due again when their lease ends. */
  stop: () => Promise<void>
}

/**
 * Sends queued pushes; every process does this. If a process dies after sending a push and before deleting its row, the
 * push is sent a second time, and replaces the first one, which has the same topic and tag (rules §6.9).
 */
export function startSendingPushes({ db, send, log }: QueueDeps): QueueSender {
  const counters = { sent: 0, failed: 0 }
  const underWay = new Set<Promise<void>>()
  const stopping = new AbortController()

  async function take(): Promise<number> {
    const free = AT_ONCE - underWay.size
    if (free <= 0) return 0
    const { rows } = await db.query<QueuedRow>(CLAIM, [free], { name: 'push-claim' })
    for (const row of rows) {
      const work = handle(row)
        .catch(logging(log, 'A push could not be sent'))
        .finally(() => underWay.delete(work))
      underWay.add(work)
    }
    return rows.length
  }

  async function handle(row: QueuedRow): Promise<void> {
    const { kind, session_id: sessionId } = row
    const target = targetOf(row)
    const { kinds, quiet } = toPreferences(row)
    if (target === null || !kinds[kind] || !row.is_news || row.age_s >= NEWS_FOR_S) return forget(db, row)
    const quietUntil = quietUntilMs(quiet, row.now.getTime())
    if (quietUntil !== null) return hold(db, row, quietUntil)
    const ttlS = Math.ceil(NEWS_FOR_S - row.age_s)
    const outcome = await send(target, pushMessages[kind], { ttlS, topic: topicOf(sessionId, kind) }, stopping.signal)
    if (outcome.is === 'sent') {
      counters.sent += 1
      return forget(db, row)
    }
    if (outcome.is === 'gone') {
      await db.query(`delete from push_subscriptions where session_id = $1 and endpoint = $2`, [
        sessionId,
        target.endpoint,
      ])
      return forget(db, row)
    }
    if (stopping.signal.aborted) return
    counters.failed += 1
    const waitMs = outcome.is === 'failed' ? pushRetryMs(row.attempts, outcome.wishedMs) : null
    log[waitMs === null ? 'warn' : 'debug'](
      { kind, reason: outcome.reason, attempts: row.attempts },
      waitMs === null ? 'A push service did not take a push' : 'A push is tried again',
    )
    return waitMs === null ? forget(db, row) : tryAgain(db, row, waitMs)
  }

  const stopTaking = repeating(LOOK_EVERY_MS, take, logging(log, 'Pushes could not be read'))
  const stopDropping = repeating(
    DROP_EVERY_MS,
    () => dropExpiredSubscriptions(db),
    logging(log, 'Subscriptions of expired sessions could not be forgotten'),
  )
  return {
    counters,
    async sendDue() {
      do await Promise.all(underWay)
      while ((await take()) > 0)
    },
    async stop() {
      stopping.abort()
      await stopTaking()
      await stopDropping()
      await Promise.all(underWay)
    },
  }
}

const targetOf = ({ endpoint, p256dh, auth_secret: authSecret }: QueuedRow): PushTarget | null =>
  endpoint === null || p256dh === null || authSecret === null ? null : { endpoint, p256dh, authSecret }

const ONE = 'session_id = $1 and kind = $2 and id = $3'
const idOf = ({ session_id: sessionId, kind, id }: QueuedRow) => [sessionId, kind, id]

/** Deletes the row of a push that is done. If a later event was queued meanwhile, the row has a new id and stays. */
async function forget(db: Database, row: QueuedRow): Promise<void> {
  await db.query(`delete from push_queue where ${ONE}`, idOf(row))
}

async function tryAgain(db: Database, row: QueuedRow, waitMs: number): Promise<void> {
  const dueAt = `clock_timestamp() + $4 * interval '1 ms'`
  await db.query(`update push_queue set due_at = ${dueAt} where ${ONE}`, [...idOf(row), waitMs])
}

/** Delays a push until the quiet hours end, and resets the number of its attempts. */
async function hold(db: Database, row: QueuedRow, untilMs: number): Promise<void> {
  await db.query(`update push_queue set due_at = $4, attempts = 0 where ${ONE}`, [...idOf(row), new Date(untilMs)])
}
