import { NAMED_MAX, type AttentionItem, type Waiting } from '#contract/attention.ts'
import {
  type Alert,
  ALERTS,
  type AttentionKind,
  DISPUTE_DUE_DAYS,
  LEDGER_CHECK_DUE_MS,
} from '#domain/attention/attention.ts'
import type { Queryable } from '#server/platform/database/db.ts'

type WaitingRow = Omit<Waiting, 'atMs'> & {
  kind: 'request' | 'conversation' | 'proposal'
  at: Date
  n: bigint
  oldest: Date
}

const OWNER = `jsonb_build_object('id', u.id, 'username', u.username)`

/**
 * SQL for the newest cash requests, conversations and proposals that wait for staff. Each row has the number of all
 * waiting rows of its kind (`n`), and the time of the oldest of these rows.
 */
const WAITING = `
  (with waiting as (select id, owner_id, created_at, kind, amount from cash_requests where status = 'pending' and hidden_at is null)
   select 'request' as kind, r.id, ${OWNER} as owner, r.created_at as at, r.kind as moves, r.amount as "amountMinor",
          null::uuid as "proposedById", (select count(*) from waiting) as n, (select min(created_at) from waiting) as oldest
     from (select * from waiting order by created_at desc, id desc limit ${NAMED_MAX}) r join users u on u.id = r.owner_id)
  union all
  (with waiting as (
     select c.id, c.player_id, w.since from conversations_waiting w
       join conversations c on c.id = w.conversation_id join users p on p.id = c.player_id
      where w.since <= $1 and p.deleted_at is null
        and not (c.state = 'snoozed' and c.snoozed_until > clock_timestamp()))
   select 'conversation', c.id, ${OWNER}, c.since, null, null, null,
          (select count(*) from waiting), (select min(since) from waiting)
     from (select * from waiting order by since desc, id desc limit ${NAMED_MAX}) c join users u on u.id = c.player_id)
  union all
  (with waiting as (select * from money_proposals where status = 'open' and expires_at > clock_timestamp())
   select 'proposal', p.id, ${OWNER}, p.proposed_at, p.kind, p.amount, p.proposed_by,
          (select count(*) from waiting), (select min(proposed_at) from waiting)
     from (select * from waiting order by proposed_at desc, id desc limit ${NAMED_MAX}) p join users u on u.id = p.owner_id)
  order by at desc, id desc`

const toWaiting = ({ id, owner, at, moves, amountMinor, proposedById }: WaitingRow): Waiting => ({
  ...{ id, owner, atMs: at.getTime(), moves, amountMinor, proposedById },
})

/** @param dueSinceMs Unix ms: conversations that began to wait later are left out; null leaves out all conversations */
export async function readWaiting(db: Queryable, dueSinceMs: number | null): Promise<AttentionItem[]> {
  const dueSince = dueSinceMs === null ? null : new Date(dueSinceMs)
  const { rows } = await db.query<WaitingRow>(WAITING, [dueSince], { name: 'attention-waiting' })
  return (['conversation', 'request', 'proposal'] as const).flatMap((kind) => {
    const newest = rows.filter((row) => row.kind === kind)
    return newest[0] === undefined
      ? []
      : [{ ...alone(kind, newest[0].n, newest[0].oldest), newest: newest.map(toWaiting) }]
  })
}

export const alone = (kind: AttentionKind, count: bigint | number, since: Date | null): AttentionItem => ({
  kind,
  count: Number(count),
  sinceMs: since?.getTime() ?? null,
  why: null,
  newest: [],
})

/** Counts and names the conversations with unread notes that mention this admin (rules §7.14); null if none. */
export async function readMentions(db: Queryable, userId: string): Promise<AttentionItem | null> {
  const { rows } = await db.query<WaitingRow>(
    `with mentioned as (
       select n.conversation_id as id, max(n.created_at) as at, min(n.created_at) as since
         from conversation_mentions m join conversation_notes n on n.id = m.note_id where m.user_id = $1 group by 1)
     select c.id, ${OWNER} as owner, m.at, null as moves, null::bigint as "amountMinor", null as "proposedById",
            (select count(*) from mentioned) as n, (select min(since) from mentioned) as oldest
       from mentioned m join conversations c on c.id = m.id join users u on u.id = c.player_id
      order by m.at desc, c.id desc limit ${NAMED_MAX}`,
    [userId],
    { name: 'attention-mentions' },
  )
  return rows[0] === undefined ? null : { ...alone('mention', rows[0].n, rows[0].oldest), newest: rows.map(toWaiting) }
}

export async function readOldDisputes(db: Queryable): Promise<AttentionItem | null> {
  const { rows } = await db.query<{ n: bigint; oldest: Date | null }>(
    `select count(*) as n, min(opened_at) as oldest from disputes
      where status = 'open' and opened_at <= clock_timestamp() - interval '${DISPUTE_DUE_DAYS} days'`,
    [],
    { name: 'attention-disputes' },
  )
  const { n = 0n, oldest = null } = rows[0] ?? {}
  return n === 0n ? null : alone('dispute', n, oldest)
}

/** Returns an alarm if a check found the ledger wrong, or the last check without findings is too old (rules §6.12). */
export async function readLedgerAlarm(db: Queryable): Promise<AttentionItem | null> {
  const { rows } = await db.query<{ failed_at: Date | null; checked_at: Date | null; is_late: boolean }>(
    `select failed_at, checked_at,
            coalesce(checked_at < clock_timestamp() - interval '${LEDGER_CHECK_DUE_MS} ms', false) as is_late
       from ledger_checkpoint`,
    [],
    { name: 'attention-ledger' },
  )
  const { failed_at: failedAt = null, checked_at: checkedAt = null, is_late: isLate = false } = rows[0] ?? {}
  if (failedAt !== null) return { ...alone('ledger', 1, failedAt), why: 'CLOSED' }
  return isLate ? { ...alone('ledger', 1, checkedAt), why: 'UNCHECKED' } : null
}

export async function readMuted(db: Queryable, userId: string): Promise<Alert[]> {
  const { rows } = await db.query<{ muted: string[] }>(
    `select muted from attention_choices where user_id = $1`,
    [userId],
    { name: 'attention-muted' },
  )
  // A newer version of the server may have stored alerts that this version does not know. They are left out.
  return ALERTS.filter((alert) => rows[0]?.muted.includes(alert))
}

export async function writeMuted(db: Queryable, userId: string, muted: readonly Alert[]): Promise<Alert[]> {
  const stored = ALERTS.filter((alert) => muted.includes(alert))
  await db.query(
    `insert into attention_choices (user_id, muted) values ($1, $2)
     on conflict (user_id) do update set muted = excluded.muted`,
    [userId, stored],
  )
  return stored
}
