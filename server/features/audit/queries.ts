import type { AuditRow } from '#contract/back-office.ts'
import type { Param, Queryable, Row } from '#server/platform/db.ts'
import type { Page } from '#server/platform/lists.ts'

export interface AuditFilter {
  /** A name, or `system`. */
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

/** What stands for an announced direction until its round has ended. */
const HIDDEN = { staffDirection: 'hidden' }

function conditions(filter: AuditFilter): { text: string; params: Param[] } {
  const params: Param[] = []
  const parts: string[] = []
  const place = (value: Param) => `$${params.push(value)}`
  if (filter.actor === 'system') parts.push(`a.actor = 'system'`)
  else if (filter.actor !== null)
    parts.push(`a.actor = (select id::text from users where username_key = ${place(filter.actor.toLowerCase())})`)
  if (filter.act !== null) parts.push(`a.act = ${place(filter.act)}`)
  if (filter.target !== null)
    // A name stands for its user; anything else is taken as it is written in the log.
    parts.push(
      `a.target in (${place(filter.target)}, (select 'user:' || id from users where username_key = ${place(filter.target.toLowerCase())}))`,
    )
  if (filter.beforeSeq !== null) parts.push(`a.seq < ${place(BigInt(filter.beforeSeq))}`)
  return { text: parts.length === 0 ? 'true' : parts.join(' and '), params }
}

/** An id that stands in a text, or null: compared as what it is, so that a user is found by its key. */
const uuidIn = (text: string): string => `case when ${text} ~ '^[0-9a-f-]{36}$' then (${text})::uuid end`

/**
 * Acts by their numbers, one more than the page holds so that the caller knows whether there is more. What was announced
 * for a round that has not ended is told to the admin who announced it alone (rules §1.2); the stored row, which the
 * chain signs, holds it from the beginning.
 */
export async function listActs(
  db: Queryable,
  readerId: string,
  filter: AuditFilter,
  isDescending: boolean,
  { limit, offset }: Page,
): Promise<AuditRow[]> {
  const { text, params } = conditions(filter)
  const direction = isDescending ? 'desc' : 'asc'
  const { rows } = await db.query<ActRow>(
    `select a.seq, a.at, coalesce(u.username, a.actor) as actor, a.act, a.target, t.username as target_name, a.before,
            a.after, a.reason, a.hash,
            a.act = 'round.set-result' and a.actor <> $${params.length + 3} and r.status is distinct from 'ended' as is_secret
       from audit_log a
       left join users u on u.id = ${uuidIn('a.actor')}
       left join users t on t.id = ${uuidIn(`substring(a.target from '^user:(.*)$')`)}
       left join rounds r on r.id = ${uuidIn(`substring(a.target from '^round:(.*)$')`)}
      where a.seq = any(array(select a.seq from audit_log a where ${text} order by a.seq ${direction}
        limit $${params.length + 1} offset $${params.length + 2}))
      order by a.seq ${direction}`,
    [...params, limit + 1, offset, readerId],
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
  const { text, params } = conditions({ ...filter, beforeSeq: null })
  const { rows } = await db.query<{ n: bigint }>(
    `select count(*) as n from (select 1 from audit_log a where ${text} limit $${params.length + 1}) counted`,
    [...params, cap],
  )
  return Number(rows[0]?.n ?? 0n)
}
