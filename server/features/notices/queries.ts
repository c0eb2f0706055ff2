import { NOTICE_DAYS, NOTICE_KINDS, type Notice, type NoticeKind, UNREAD_COUNTED_TO } from '#contract/notices.ts'
import { actorNameSql } from '#server/features/wallet/index.ts'
import type { Queryable } from '#server/platform/database/db.ts'
import { msSql } from '#server/platform/database/rows.ts'
import { collectParams, type Params } from '#server/platform/database/sql.ts'

/** The place of a notice in the list; the id orders notices of the same time. */
export interface NoticePlace {
  readonly atMs: number
  readonly id: string
}

export interface NoticeFilter {
  readonly kind: NoticeKind | null
  readonly after: NoticePlace | null
  readonly limit: number
}

/** Parts of SQL from which the query of each kind of notice is made: placeholders, and the conditions of the page. */
interface Asked {
  readonly user: string
  readonly since: string
  readonly limit: string
  /** Returns the SQL condition that a row with this time and id comes after the previous page; `true` on the first. */
  readonly isAfter: (at: string, id: string) => string
  /** Placeholder of the time of the previous page's last notice, which bounds an index scan; null on the first page. */
  readonly until: string | null
}

/**
 * SQL for the newest notices of each kind. Bets are read in the order of acceptance: a user's bets are settled in the
 * same order, since nobody has two open bets. Transfers are read by position in the wallet, which grows with time.
 */
const SOURCES: Readonly<Record<NoticeKind, (asked: Asked) => string>> = {
  bet: ({ user, since, limit, isAfter, until }) => `
    select 'bet' as kind, 'bet:' || b.id as id, b.id::text as ref, b.settled_at as at from bets b
     where b.user_id = ${user} and b.status <> 'open' and b.accepted_at >= ${since}
       ${until === null ? '' : `and b.accepted_at <= ${until}`} and ${isAfter('b.settled_at', `'bet:' || b.id`)}
     order by b.accepted_at desc, b.id desc limit ${limit}`,
  request: ({ user, since, limit, isAfter }) => `
    select 'request', 'request:' || r.id, r.id::text, r.decided_at from cash_requests r
     where r.owner_id = ${user} and r.decided_by <> r.owner_id and r.decided_at >= ${since}
       and ${isAfter('r.decided_at', `'request:' || r.id`)}
     order by r.decided_at desc, r.id desc limit ${limit}`,
  dispute: ({ user, since, limit, isAfter }) => `
    select 'dispute', 'dispute:' || d.id, d.id::text, d.answered_at from disputes d
     where d.owner_id = ${user} and d.answered_at >= ${since} and ${isAfter('d.answered_at', `'dispute:' || d.id`)}
     order by d.answered_at desc, d.id desc limit ${limit}`,
  // The correction of an upheld dispute is left out: it is part of the notice of the dispute's answer.
  adjustment: ({ user, since, limit, isAfter }) => `
    select 'adjustment', t.id, t.id, t.created_at
      from ledger_accounts a join ledger_transfers t on t.wallet_account = a.id
     where a.owner_id = ${user} and a.kind = 'wallet' and t.reason = 'ADJUSTMENT'
       and t.id not like 'adjust:dispute:%' and t.created_at >= ${since}
       and ${isAfter('t.created_at', 't.id')}
     order by t.wallet_seq desc limit ${limit}`,
  round: (asked) => written('round', asked),
  limit: (asked) => written('limit', asked),
  device: (asked) => written('device', asked),
  factor: (asked) => written('factor', asked),
  // A conversation has one notice while it has unread replies (`isUnreadOfCare`), at the time of the newest of them.
  care: ({ user, since, limit, isAfter }) => `
    select 'care', 'care:' || c.id, c.id::text, u.at
      from conversations c
      join conversation_members me on me.conversation_id = c.id and me.user_id = ${user}
     cross join lateral (
       select date_trunc('milliseconds', m.sent_at) as at from messages m
        where m.conversation_id = c.id and ${isUnreadOfCare(user)}
        order by m.seq desc limit 1) u
     where (c.player_id = ${user} or ${mayAnswer(user)} and c.holder_id = ${user}) and c.last_seq > greatest(me.read_seq, me.hidden_through_seq)
       and u.at >= ${since} and ${isAfter('u.at', `'care:' || c.id`)}
     order by u.at desc, c.id desc limit ${limit}`,
}

/**
 * SQL condition: the user may answer customers. An admin who has lost this right stays the holder of a conversation
 * until somebody else claims it.
 */
const mayAnswer = (user: string) =>
  `(select role = 'admin' and 'care' = any(capabilities) from users where id = ${user})`

/**
 * SQL condition: message `m` of conversation `c` is from somebody else and new to the member `me` (rules §7.4).
 * Messages about disputes count for the holder only, since the answer to a player's dispute has a notice of its own.
 */
const isUnreadOfCare = (user: string) =>
  `m.seq > greatest(me.read_seq, me.hidden_through_seq) and not m.seq <@ me.read_apart and m.sender_id <> ${user}
     and (m.dispute_id is null or c.holder_id = ${user})`

const written = (kind: 'round' | 'limit' | 'device' | 'factor', { user, since, limit, isAfter }: Asked) => `
    select n.kind, n.kind || ':' || n.id, n.ref, n.created_at from notices n
     where n.user_id = ${user} and n.kind = '${kind}' and n.created_at >= ${since}
       and ${isAfter('n.created_at', `n.kind || ':' || n.id`)}
     order by n.created_at desc, n.id desc limit ${limit}`

const SINCE = `clock_timestamp() - interval '${NOTICE_DAYS} days'`

const union = (kinds: readonly NoticeKind[], asked: Asked): string =>
  kinds.map((kind) => `(${SOURCES[kind](asked)})`).join('\n    union all ')

/** Returns SQL for the time up to which a user has read notices; the time in notice_start if the user has read none. */
const readThrough = (user: string) =>
  `coalesce((select read_through from notice_marks where user_id = ${user}), (select at from notice_start))`

type NoticeRow = Pick<Notice, 'id' | 'kind' | 'isRead' | 'atMs'> & { data: Record<string, unknown> }

export async function listNotices(db: Queryable, userId: string, filter: NoticeFilter): Promise<Notice[]> {
  const params = collectParams()
  const kinds = filter.kind === null ? NOTICE_KINDS : [filter.kind]
  const asked = askedOf(params, userId, filter)
  const { rows } = await db.query<NoticeRow>(
    `with page as materialized (
       select * from (${union(kinds, asked)}) notices (kind, id, ref, at)
        order by at desc, id collate "C" desc limit ${asked.limit})
     select p.kind, p.id, ${msSql('p.at')} as "atMs", p.at <= ${readThrough(asked.user)} as "isRead", ${DATA} as data
       from page p order by p.at desc, p.id collate "C" desc`,
    params.values,
  )
  return rows.map(toNotice)
}

function askedOf(params: Params, userId: string, { after, limit }: NoticeFilter): Asked {
  const user = `${params.add(userId)}::uuid`
  const count = params.add(limit + 1)
  if (after === null) return { user, since: SINCE, limit: count, isAfter: () => 'true', until: null }
  const until = `${params.add(new Date(after.atMs))}::timestamptz`
  const id = params.add(after.id)
  return {
    user,
    since: SINCE,
    limit: count,
    isAfter: (at, own) => `(${at}, (${own}) collate "C") < (${until}, ${id}::text)`,
    until,
  }
}

/** SQL for the fields of a notice, which depend on its kind. Amounts are texts: numbers in JSON may lose digits. */
const DATA = `case p.kind
    when 'bet' then (select jsonb_build_object('id', b.id, 'roundNumber', r.index + 1, 'type', r.type,
        'direction', b.direction, 'status', b.status, 'basis', b.basis, 'profitMinor', b.profit::text,
        'voidReason', b.void_reason, 'entryPrice', b.entry_price,
        'exitPrice', case when r.closes_at <= clock_timestamp() then b.exit_price end)
      from bets b join rounds r on r.id = b.round_id where b.id = p.ref::uuid)
    when 'request' then (select jsonb_build_object('id', q.id, 'kind', q.kind, 'status', q.status,
        'amountMinor', q.amount::text, 'decidedBy', d.username, 'rejectionReason', q.rejection_reason)
      from cash_requests q join users d on d.id = q.decided_by where q.id = p.ref::uuid)
    when 'dispute' then (select jsonb_build_object('betId', b.id, 'roundNumber', r.index + 1, 'type', r.type,
        'status', d.status, 'answer', d.answer, 'correctionMinor', d.correction::text)
      from disputes d join bets b on b.id = d.bet_id join rounds r on r.id = b.round_id where d.id = p.ref::uuid)
    when 'adjustment' then (select jsonb_build_object('deltaMinor', t.wallet_delta::text,
        'balanceAfterMinor', t.wallet_balance_after::text, 'note', t.note,
        'actor', ${actorNameSql('t.actor')})
      from ledger_transfers t where t.id = p.ref)
    when 'round' then (select jsonb_build_object('betId', b.id, 'roundNumber', r.index + 1, 'type', r.type, 'basis', b.basis)
      from bets b join rounds r on r.id = b.round_id where b.id = p.ref::uuid)
    when 'care' then (select jsonb_build_object('conversationId', c.id, 'unreadCount', count(*),
        'sender', (array_agg(s.username order by m.seq desc))[1])
      from conversations c
      join conversation_members me on me.conversation_id = c.id and me.user_id = $1::uuid
      join messages m on m.conversation_id = c.id and ${isUnreadOfCare('$1::uuid')}
      join users s on s.id = m.sender_id
      where c.id = p.ref::uuid group by c.id)
    when 'device' then jsonb_build_object(
        'ip', (select s.ip from sessions s where s.id = p.ref::uuid))
    when 'factor' then jsonb_build_object('change', split_part(p.ref, ':', 1),
        'name', nullif(regexp_replace(p.ref, '^[^:]*:[^:]*:', ''), ''))
    else jsonb_build_object('limit', split_part(p.ref, ':', 1)) end`

const NOTHING = {
  ...{ bet: null, request: null, care: null, adjustment: null, dispute: null },
  ...{ round: null, limit: null, device: null, factor: null },
}

const withAmounts = (data: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      name.endsWith('Minor') && typeof value === 'string' ? BigInt(value) : value,
    ]),
  )

const toNotice = ({ kind, data, ...row }: NoticeRow): Notice => ({
  ...{ ...row, kind, ...NOTHING },
  ...({ [kind]: kind === 'limit' ? data['limit'] : withAmounts(data) } satisfies Partial<Record<NoticeKind, unknown>>),
})

/** Counts unread notices among the newest of each kind, up to `UNREAD_COUNTED_TO`. */
export async function countUnread(db: Queryable, userId: string): Promise<number> {
  const params = collectParams()
  const asked = askedOf(params, userId, { kind: null, after: null, limit: UNREAD_COUNTED_TO - 1 })
  const { rows } = await db.query<{ n: bigint }>(
    `select count(*) as n from (${union(NOTICE_KINDS, asked)}) notices (kind, id, ref, at)
      where at > ${readThrough(asked.user)}`,
    params.values,
  )
  return Math.min(Number(rows[0]?.n ?? 0n), UNREAD_COUNTED_TO)
}

/**
 * Returns the Unix ms up to which no notice can be missing. A transaction locks rows before it reads the clock (rules
 * §3.9), and PostgreSQL counts the transaction as writing from this lock on. So no row that is not committed yet has a
 * time before the start of the oldest writing transaction. 1 ms is subtracted, since times of rows are cut to whole ms.
 * Must be called before the list is read.
 */
export async function readCompleteToMs(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ ms: bigint }>(
    `select floor(extract(epoch from least(now(), (select min(a.xact_start) from pg_stat_activity a
        where a.datname = current_database() and a.backend_xid is not null and a.pid <> pg_backend_pid()))) * 1000)::bigint
        - 1 as ms`,
    [],
    { name: 'notices-complete-to' },
  )
  return Number(rows[0]?.ms)
}
