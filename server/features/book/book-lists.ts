import { type NotedAct, type NotedEntry, type NotedKind, NOTED_KINDS } from '#contract/book-pages.ts'
import type { Queryable, Row } from '#server/platform/db.ts'
import { collectParams } from '#server/platform/sql.ts'

export interface NotedFilter {
  readonly kind: NotedKind | null
  readonly act: NotedAct | null
  /** Unix ms: from included, to excluded. */
  readonly fromMs: number | null
  readonly toMs: number | null
  /** The last entry of the page before. */
  readonly after: { readonly log: number; readonly index: number } | null
}

interface NotedRow extends Row {
  generation: number
  index: bigint
  kind: NotedEntry['kind']
  at_ms: bigint
  line: string
  answered_at_ms: bigint | null
}

/** Entries of the list on `/so-mo`, newest first; one more than `limit`, where there are more. */
export async function listNoted(db: Queryable, filter: NotedFilter, limit: number): Promise<NotedEntry[]> {
  const params = collectParams()
  const { add } = params
  const kinds = NOTED_KINDS.filter((kind) => (filter.kind ?? kind) === kind)
  const entries = kinds.flatMap((kind) => (kind === 'act' ? (['announce', kind] as const) : [kind]))
  const parts = [`n.kind = any(${add(entries)})`]
  if (filter.act === 'announce') parts.push(`n.kind = 'announce'`)
  else if (filter.act !== null) parts.push(`n.kind = 'act' and n.line::jsonb->>'act' = ${add(filter.act)}`)
  if (filter.fromMs !== null) parts.push(`n.at_ms >= ${add(filter.fromMs)}`)
  if (filter.toMs !== null) parts.push(`n.at_ms < ${add(filter.toMs)}`)
  if (filter.after !== null)
    parts.push(`(n.generation, n.index) < (${add(filter.after.log)}, ${add(filter.after.index)})`)
  const page = add(limit + 1)
  const { rows } = await db.query<NotedRow>(
    `select n.generation, n.index, n.kind, n.at_ms, n.line,
            case when n.kind = 'dispute' and n.line::jsonb->>'state' = 'opened' then
              (select min(a.at_ms) from book_notable a where a.kind = 'dispute' and a.generation = n.generation
                  and a.index > n.index and a.line::jsonb->>'bet' = n.line::jsonb->>'bet'
                  and a.line::jsonb->>'state' <> 'opened') end as answered_at_ms
       from book_notable n where ${parts.join(' and ')}
      order by n.generation desc, n.index desc limit ${page}`,
    params.values,
  )
  return rows.map((row) => ({
    log: row.generation,
    index: Number(row.index),
    kind: row.kind,
    atMs: Number(row.at_ms),
    entry: row.line,
    answeredAtMs: row.answered_at_ms === null ? null : Number(row.answered_at_ms),
  }))
}
