import { NAMED_MAX, type AttentionItem, type Waiting } from '#contract/attention.ts'
import {
  type Alert,
  ALERTS,
  type AttentionKind,
  DISPUTE_DUE_DAYS,
  LEDGER_CHECK_DUE_MS,
} from '#domain/attention/attention.ts'
import type { ProposalKind } from '#domain/four-eyes/proposal.ts'
import type { Queryable, Row } from '#server/platform/database/db.ts'

interface WaitingRow extends Row {
  kind: 'request' | 'conversation' | 'proposal'
  id: string
  owner_id: string
  username: string
  at: Date
  moves: ProposalKind | null
  amount: bigint | null
  proposed_by: string | null
  n: bigint
  oldest: Date
}

/** Each table reads and counts only its rows that wait, by their index. */
const WAITING = `
  (with waiting as (select id, owner_id, created_at, kind, amount from cash_requests where status = 'pending' and hidden_at is null)
   select 'request' as kind, r.id, r.owner_id, u.username, r.created_at as at, r.kind as moves, r.amount,
          null::uuid as proposed_by, (select count(*) from waiting) as n, (select min(created_at) from waiting) as oldest
     from (select * from waiting order by created_at desc, id desc limit ${NAMED_MAX}) r join users u on u.id = r.owner_id)
  union all
  (with waiting as (
     select c.id, c.player_id, w.since from conversations_waiting w
       join conversations c on c.id = w.conversation_id join users p on p.id = c.player_id
      where w.since <= $1 and p.deleted_at is null
        and not (c.state = 'snoozed' and c.snoozed_until > clock_timestamp())
        -- An answer may have come while the row was being written at a start.
        and exists (select 1 from messages m where m.conversation_id = c.id and m.seq = c.last_seq and m.sender_id = c.player_id))
   select 'conversation', c.id, c.player_id, u.username, c.since, null, null, null,
          (select count(*) from waiting), (select min(since) from waiting)
     from (select * from waiting order by since desc, id desc limit ${NAMED_MAX}) c join users u on u.id = c.player_id)
  union all
  (with waiting as (select * from money_proposals where status = 'open' and expires_at > clock_timestamp())
   select 'proposal', p.id, p.owner_id, u.username, p.proposed_at, p.kind, p.amount, p.proposed_by,
          (select count(*) from waiting), (select min(proposed_at) from waiting)
     from (select * from waiting order by proposed_at desc, id desc limit ${NAMED_MAX}) p join users u on u.id = p.owner_id)
  order by at desc, id desc`

const toWaiting = (row: WaitingRow): Waiting => ({
  id: row.id,
  owner: { id: row.owner_id, username: row.username },
  atMs: row.at.getTime(),
  moves: row.moves,
  amountMinor: row.amount,
  proposedById: row.proposed_by,
})

/** @param dueSinceMs conversations that wait since then or longer are past their time; null while none is */
export async function readWaiting(db: Queryable, dueSinceMs: number | null): Promise<AttentionItem[]> {
  const dueSince = dueSinceMs === null ? null : new Date(dueSinceMs)
  const { rows } = await db.query<WaitingRow>(WAITING, [dueSince], { name: 'attention-waiting' })
  const of = (kind: AttentionKind) => rows.filter((row) => row.kind === kind)
  return (['conversation', 'request', 'proposal'] as const).flatMap((kind) => {
    const [newest, ...rest] = of(kind)
    if (newest === undefined) return []
    const { n, oldest } = newest
    return [{ kind, count: Number(n), sinceMs: oldest.getTime(), why: null, newest: [newest, ...rest].map(toWaiting) }]
  })
}

const alone = (kind: AttentionKind, count: number, since: Date | null): AttentionItem => ({
  kind,
  count,
  sinceMs: since?.getTime() ?? null,
  why: null,
  newest: [],
})

/** Conversations with notes that mention an admin who has not opened them since (rules §7.14); null without one. */
export async function readMentions(db: Queryable, userId: string): Promise<AttentionItem | null> {
  const { rows } = await db.query<WaitingRow>(
    `with mentioned as (
       select n.conversation_id as id, max(n.created_at) as at, min(n.created_at) as since
         from conversation_mentions m join conversation_notes n on n.id = m.note_id where m.user_id = $1 group by 1)
     select c.id, c.player_id as owner_id, p.username, m.at, null as moves, null::bigint as amount, null as proposed_by,
            (select count(*) from mentioned) as n, (select min(since) from mentioned) as oldest
       from mentioned m join conversations c on c.id = m.id join users p on p.id = c.player_id
      order by m.at desc, c.id desc limit ${NAMED_MAX}`,
    [userId],
    { name: 'attention-mentions' },
  )
  const [newest] = rows
  if (newest === undefined) return null
  const { n, oldest } = newest
  return { kind: 'mention', count: Number(n), sinceMs: oldest.getTime(), why: null, newest: rows.map(toWaiting) }
}

export async function readOldDisputes(db: Queryable): Promise<AttentionItem | null> {
  const { rows } = await db.query<{ n: bigint; oldest: Date | null }>(
    `select count(*) as n, min(opened_at) as oldest from disputes
      where status = 'open' and opened_at <= clock_timestamp() - interval '${DISPUTE_DUE_DAYS} days'`,
    [],
    { name: 'attention-disputes' },
  )
  const { n = 0n, oldest = null } = rows[0] ?? {}
  return n === 0n ? null : alone('dispute', Number(n), oldest)
}

/** Null while the books are right, and before a new installation's first check, which comes within its first minute. */
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
  // An alert that a newer version stored and this one does not know is left out.
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
