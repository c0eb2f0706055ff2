import type { AuditRow } from '#contract/back-office.ts'
import type { RoundType } from '#domain/game/calendar.ts'
import type { Queryable, Row } from '#server/platform/db.ts'
import type { Page } from '#server/platform/lists.ts'
import { idByNameSql } from '#server/platform/name-search.ts'
import { collectParams, type Params } from '#server/platform/sql.ts'

export interface AuditFilter {
  /** A username, or `system`. */
  readonly actor: string | null
  readonly act: string | null
  readonly target: string | null
  /** Recorded in [fromMs, toMs). */
  readonly fromMs: number | null
  readonly toMs: number | null
  readonly beforeSeq: number | null
}

interface ActRow extends Row {
  seq: bigint
  at: Date
  actor: string
  act: string
  target: string
  target_name: string | null
  owner_id: string | null
  owner_name: string | null
  round_type: RoundType | null
  round_index: bigint | null
  before: unknown
  after: unknown
  names: Array<{ id: string; username: string }>
  reason: string | null
  hash: Uint8Array
  is_secret: boolean
}

/** Replaces an announced direction until its round has ended. */
const HIDDEN = { staffDirection: 'hidden' }

function conditions({ add }: Params, filter: AuditFilter): string {
  const parts: string[] = []
  if (filter.actor === 'system') parts.push(`a.actor = 'system'`)
  else if (filter.actor !== null) parts.push(`a.actor = ${idByNameSql(filter.actor, add)}::text`)
  if (filter.act !== null) parts.push(`a.act = ${add(filter.act)}`)
  if (filter.target !== null)
    // A username stands for its user; any other value is compared with the log as it is.
    parts.push(
      `a.target in (${add(filter.target)}, (select 'user:' || id from users where username_key = ${add(filter.target.toLowerCase())}))`,
    )
  if (filter.fromMs !== null) parts.push(`a.at >= ${add(new Date(filter.fromMs))}`)
  if (filter.toMs !== null) parts.push(`a.at < ${add(new Date(filter.toMs))}`)
  if (filter.beforeSeq !== null) parts.push(`a.seq < ${add(BigInt(filter.beforeSeq))}`)
  return parts.length === 0 ? 'true' : parts.join(' and ')
}

/** SQL for the uuid in a text, or null. The comparison is by uuid, so that a user is found through the primary key. */
const uuidIn = (text: string): string =>
  `case when ${text} ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then (${text})::uuid end`

/** SQL for the id in a target of a kind, such as `request:{id}`, or null. */
const targetId = (kind: string): string => uuidIn(`substring(a.target from '^${kind}:(.*)$')`)

/** SQL for one side of an act as an object; what is none has no fields. */
const fieldsOf = (side: string): string => `case when jsonb_typeof(${side}) = 'object' then ${side} else '{}' end`

/** SQL for the users whose ids are values of either side, so that they are read as names. */
const NAMES = `(select coalesce(json_agg(json_build_object('id', n.id, 'username', n.username) order by n.username), '[]')
  from users n where n.id in (
    select ${uuidIn('f.value')} from jsonb_each_text(${fieldsOf('a.before')}) f
    union select ${uuidIn('f.value')} from jsonb_each_text(${fieldsOf('a.after')}) f))`

/**
 * Acts by number, one more than a page so that the caller knows whether a next page exists. What was announced for a
 * round that has not ended is shown only to the admin who announced it (rules §1.2). The stored row, which the chain
 * signs, always holds it.
 */
export async function listActs(
  db: Queryable,
  readerId: string,
  filter: AuditFilter,
  isDescending: boolean,
  { limit, offset }: Page,
): Promise<AuditRow[]> {
  const params = collectParams()
  const direction = isDescending ? 'desc' : 'asc'
  const { rows } = await db.query<ActRow>(
    `select a.seq, a.at, coalesce(u.username, a.actor) as actor, a.act, a.target, t.username as target_name, o.id as owner_id,
            o.username as owner_name, r.type as round_type, r.index as round_index, a.before, a.after, ${NAMES} as names, a.reason, a.hash,
            a.act = 'round.set-result' and a.actor <> ${params.add(readerId)} and r.status is distinct from 'ended' as is_secret
       from audit_log a
       left join users u on u.id = ${uuidIn('a.actor')}
       left join users t on t.id = ${targetId('user')}
       left join rounds r on r.id = ${targetId('round')}
       left join users o on o.id = coalesce(
         (select c.owner_id from cash_requests c where c.id = ${targetId('request')}),
         (select b.user_id from bets b where b.id = ${targetId('bet')}),
         (select c.player_id from conversations c where c.id = ${targetId('conversation')}),
         (select d.owner_id from disputes d where d.id = ${targetId('dispute')}))
      where a.seq = any(array(select a.seq from audit_log a where ${conditions(params, filter)}
        order by a.seq ${direction} limit ${params.add(limit + 1)} offset ${params.add(offset)}))
      order by a.seq ${direction}`,
    params.values,
  )
  return rows.map((row) => ({
    seq: Number(row.seq),
    atMs: row.at.getTime(),
    actor: row.actor,
    act: row.act,
    target: row.target,
    targetName: row.target_name,
    targetOwner:
      row.owner_id === null || row.owner_name === null ? null : { id: row.owner_id, username: row.owner_name },
    targetRound:
      row.round_type === null || row.round_index === null
        ? null
        : { type: row.round_type, roundNumber: Number(row.round_index) + 1 },
    before: row.before,
    after: row.is_secret ? HIDDEN : row.after,
    names: row.names,
    reason: row.reason,
    hash: Buffer.from(row.hash).toString('hex'),
  }))
}

export async function countActs(db: Queryable, filter: AuditFilter, cap: number): Promise<number> {
  const params = collectParams()
  const text = conditions(params, { ...filter, beforeSeq: null })
  const { rows } = await db.query<{ n: bigint }>(
    `select count(*) as n from (select 1 from audit_log a where ${text} limit ${params.add(cap)}) counted`,
    params.values,
  )
  return Number(rows[0]?.n ?? 0n)
}
