import type { AuditRow } from '#contract/back-office.ts'
import type { Queryable, Row } from '#server/platform/db.ts'
import type { Page } from '#server/platform/lists.ts'
import { collectParams, type Params } from '#server/platform/sql.ts'

export interface AuditFilter {
  /** A username, or `system`. */
  readonly actor: string | null
  readonly act: string | null
  readonly target: string | null
  readonly beforeSeq: number | null
}

interface ActRow extends Row {
  seq: bigint
  at: Date
  actor: string
  act: string
  target: string
  target_name: string | null
  before: unknown
  after: unknown
  reason: string | null
  hash: Uint8Array
  is_secret: boolean
}

/** Replaces an announced direction until its round has ended. */
const HIDDEN = { staffDirection: 'hidden' }

function conditions({ add }: Params, filter: AuditFilter): string {
  const parts: string[] = []
  if (filter.actor === 'system') parts.push(`a.actor = 'system'`)
  else if (filter.actor !== null)
    parts.push(`a.actor = (select id::text from users where username_key = ${add(filter.actor.toLowerCase())})`)
  if (filter.act !== null) parts.push(`a.act = ${add(filter.act)}`)
  if (filter.target !== null)
    // A username stands for its user; any other value is compared with the log as it is.
    parts.push(
      `a.target in (${add(filter.target)}, (select 'user:' || id from users where username_key = ${add(filter.target.toLowerCase())}))`,
    )
  if (filter.beforeSeq !== null) parts.push(`a.seq < ${add(BigInt(filter.beforeSeq))}`)
  return parts.length === 0 ? 'true' : parts.join(' and ')
}

/** SQL for the uuid in a text, or null. The comparison is by uuid, so that a user is found through the primary key. */
const uuidIn = (text: string): string => `case when ${text} ~ '^[0-9a-f-]{36}$' then (${text})::uuid end`

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
    `select a.seq, a.at, coalesce(u.username, a.actor) as actor, a.act, a.target, t.username as target_name, a.before,
            a.after, a.reason, a.hash,
            a.act = 'round.set-result' and a.actor <> ${params.add(readerId)} and r.status is distinct from 'ended' as is_secret
       from audit_log a
       left join users u on u.id = ${uuidIn('a.actor')}
       left join users t on t.id = ${uuidIn(`substring(a.target from '^user:(.*)$')`)}
       left join rounds r on r.id = ${uuidIn(`substring(a.target from '^round:(.*)$')`)}
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
    before: row.before,
    after: row.is_secret ? HIDDEN : row.after,
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
