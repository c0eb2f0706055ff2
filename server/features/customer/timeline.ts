import type { TimelineEntry, TimelinePage } from '#contract/customer.ts'
import {
  ALL_TIMELINE_KINDS,
  TIMELINE_KINDS,
  type TimelineFilter,
  type TimelineKind,
} from '#domain/customer/timeline.ts'
import type { Queryable } from '#server/platform/database/db.ts'
import { msSql } from '#server/platform/database/rows.ts'
import { collectParams } from '#server/platform/database/sql.ts'

interface TimelineQuery {
  readonly userId: string
  readonly only: TimelineFilter | null
  readonly before: string | null
  readonly limit: number
  /** False if an admin reads the page about themselves: nobody may read notes about themselves. */
  readonly hasNotes: boolean
}

type EntryRow = Omit<TimelineEntry, 'cursor'> & { micros: bigint; key: string }

const COLUMNS = {
  actor: 'text',
  amountMinor: 'bigint',
  profitMinor: 'bigint',
  word: 'text',
  status: 'text',
  text: 'text',
  before: 'jsonb',
  after: 'jsonb',
  round_id: 'uuid',
} as const

interface Source {
  readonly from: string
  /** SQL condition for the user's rows. `$user` in it is replaced by the placeholder of the user's id. */
  readonly where: string
  readonly at?: string
  readonly ref?: string
  readonly columns?: Readonly<Partial<Record<keyof typeof COLUMNS, string>>>
}

/**
 * Acts that are left out: those of staff who viewed the user's data, which are frequent, and `user.note`, since each note
 * is itself an entry.
 */
const UNTOLD_ACTS = `('user.view', 'chat.customer', 'user.note')`

const OWNS = 'x.owner_id = $user'

const SOURCES: Readonly<Record<TimelineKind, Source>> = {
  account: { from: 'users x', where: 'x.id = $user' },
  session: { from: 'sessions x', where: 'x.user_id = $user', columns: { text: 'x.ip', word: 'x.user_agent' } },
  bank: { from: 'banks x', where: OWNS, columns: { word: 'x.bank_name', text: 'x.account_number' } },
  bet: {
    from: 'bets x',
    where: 'x.user_id = $user and x.hidden_at is null',
    at: 'x.accepted_at',
    columns: {
      amountMinor: 'x.stake',
      profitMinor: 'x.profit',
      word: 'x.direction',
      status: 'x.status',
      round_id: 'x.round_id',
    },
  },
  limits: { from: 'player_limits x', where: 'x.user_id = $user', at: 'x.updated_at', ref: 'x.user_id::text' },
  request: {
    from: 'cash_requests x',
    where: `${OWNS} and x.hidden_at is null`,
    columns: { amountMinor: 'x.amount', word: 'x.kind', status: 'x.status' },
  },
  decision: {
    from: 'cash_requests x',
    where: `${OWNS} and x.hidden_at is null and x.decided_at is not null`,
    at: 'x.decided_at',
    columns: {
      ...{ actor: 'x.decided_by::text', amountMinor: 'x.amount', word: 'x.kind', status: 'x.status' },
      text: 'x.rejection_reason',
    },
  },
  transfer: {
    from: `ledger_accounts a join ledger_transfers x on x.wallet_account = a.id`,
    where: `a.owner_id = $user and a.kind = 'wallet' and x.reason in ('WELCOME', 'REFILL', 'ADJUSTMENT')`,
    ref: 'x.wallet_seq::text',
    columns: { actor: 'x.actor', amountMinor: 'x.wallet_delta', word: 'x.reason', text: 'x.note' },
  },
  conversation: {
    from: 'conversations x',
    where: 'x.player_id = $user and x.last_seq > 0',
    columns: { actor: 'x.holder_id::text' },
  },
  dispute: { from: 'disputes x', where: OWNS, at: 'x.opened_at', columns: { status: 'x.status', text: 'x.text' } },
  answer: {
    from: 'disputes x',
    where: `${OWNS} and x.answered_at is not null`,
    at: 'x.answered_at',
    columns: { actor: 'x.answered_by::text', amountMinor: 'x.correction', status: 'x.status', text: 'x.answer' },
  },
  act: {
    from: 'audit_log x',
    where: `x.target = 'user:' || $user and x.act not in ${UNTOLD_ACTS}`,
    at: 'x.at',
    ref: 'x.seq::text',
    columns: { actor: 'x.actor', word: 'x.act', text: 'x.reason', before: 'x.before', after: 'x.after' },
  },
  note: {
    from: 'staff_notes x',
    where: 'x.user_id = $user',
    columns: { actor: 'x.author_id::text', text: 'x.text' },
  },
}

/**
 * Reads the newest entries, or the newest before the cursor. The cursor has the time in microseconds, the kind and the
 * id, so that entries of the same time are neither skipped nor repeated.
 */
export async function readTimeline(
  db: Queryable,
  { userId, only, before, limit, hasNotes }: TimelineQuery,
): Promise<TimelinePage> {
  const params = collectParams()
  const { add } = params
  const user = `${add(userId)}::uuid`
  const most = add(limit + 1)
  const [micros, key] = before === null ? [] : before.split('~')
  const cursor =
    micros === undefined || key === undefined
      ? null
      : { at: `(timestamptz 'epoch' + ${add(BigInt(micros))} * interval '1 microsecond')`, key: add(key) }
  const kinds = (only === null ? ALL_TIMELINE_KINDS : TIMELINE_KINDS[only]).filter(
    (kind) => kind !== 'note' || hasNotes,
  )
  const sources = kinds.map((kind) => {
    const { from, where, at = 'x.created_at', ref = 'x.id::text', columns = {} }: Source = SOURCES[kind]
    const entryKey = `('${kind}:' || ${ref}) collate "C"`
    const fields = Object.entries(COLUMNS).map(
      ([name, type]) => `${columns[name as keyof typeof COLUMNS] ?? 'null'}::${type} as "${name}"`,
    )
    // Only the first condition can use an index; the second one decides between entries of the same microsecond.
    const after =
      cursor === null ? '' : ` and ${at} <= ${cursor.at} and (${at}, ${entryKey}) < (${cursor.at}, ${cursor.key})`
    return `(select '${kind}' as kind, ${at} as at, ${entryKey} as key, ${ref} as ref, ${fields.join(', ')}
       from ${from} where ${where.replaceAll('$user', user)}${after} order by ${at} desc, ${entryKey} desc limit ${most})`
  })
  const { rows } = await db.query<EntryRow>(
    `select e.micros, e.key, e.ref, e.kind, ${msSql('e.at')} as "atMs", e."amountMinor", e."profitMinor", e.word,
            e.status, e.text, e.before, e.after, coalesce(u.username, e.actor) as actor,
            case when r.id is not null then json_build_object('id', r.id, 'roundNumber', r.index + 1, 'type', r.type) end as round
       from (select *, (extract(epoch from at) * 1000000)::bigint as micros from (${sources.join(' union all ')}) s order by at desc, key desc limit ${most}) e
       left join rounds r on r.id = e.round_id
       left join users u on u.id = case when e.actor ~ '^[0-9a-f-]{36}$' then e.actor::uuid end
      order by e.at desc, e.key desc`,
    params.values,
  )
  return { entries: rows.slice(0, limit).map(toEntry), hasMore: rows.length > limit }
}

const toEntry = ({ micros, key, ...entry }: EntryRow): TimelineEntry => ({ ...entry, cursor: `${micros}~${key}` })
