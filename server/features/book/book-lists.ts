import { type NotedEntry, type NotedQuery, NOTED_KINDS } from '#contract/book-pages.ts'
import type { Queryable } from '#server/platform/database/db.ts'
import { collectParams } from '#server/platform/database/sql.ts'

export const SUBJECT = `coalesce(line::jsonb ->> 'act', line::jsonb ->> 'bet', line::jsonb ->> 'day')`

/** Returns at most `limit` entries, newest first, and one entry more if a next page follows. */
export async function listNoted(
  db: Queryable,
  filter: Omit<NotedQuery, 'limit'>,
  limit: number,
): Promise<NotedEntry[]> {
  const params = collectParams()
  const { add } = params
  const parts: string[] = []
  if (filter.from !== undefined) parts.push(`at_ms >= ${add(filter.from)}`)
  if (filter.to !== undefined) parts.push(`at_ms < ${add(filter.to)}`)
  if (filter.after !== undefined) {
    const place = `${add(filter.after.log)}::integer, ${add(filter.after.index)}::bigint`
    parts.push(`(at_ms, generation, index) < ((select at_ms from book_notable where (generation, index) <= (${place})
      order by generation desc, index desc limit 1), ${place})`)
  }
  const kinds = NOTED_KINDS.filter((kind) => (filter.kind ?? kind) === kind)
    .flatMap((kind) => (kind === 'act' ? (['announce', kind] as const) : [kind]))
    .filter((kind) => filter.act === undefined || kind === (filter.act === 'announce' ? 'announce' : 'act'))
  if (kinds.length === 0) return []
  if (filter.act !== undefined && filter.act !== 'announce') parts.push(`${SUBJECT} = ${add(filter.act)}`)
  const newest = `order by at_ms desc, generation desc, index desc limit ${add(limit + 1)}`
  const ofKind = (kind: string) =>
    `(select * from book_notable where ${[`kind = '${kind}'`, ...parts].join(' and ')} ${newest})`
  const { rows } = await db.query<NotedEntry>(
    `select n.generation as log, n.index::float8 as index, n.kind, n.at_ms::float8 as "atMs", n.line as entry,
            case when n.kind = 'dispute' and n.line::jsonb ->> 'state' = 'opened' then
              -- The + 0, and array_agg instead of limit 1, keep PostgreSQL from the index (kind, generation, index).
              -- In a table that was never analyzed it would use that index, and read all later disputes for each row.
              (select (array_agg(at_ms order by index))[1]::float8 from book_notable
                where kind = 'dispute' and ${SUBJECT} = n.line::jsonb ->> 'bet'
                  and generation + 0 = n.generation and index + 0 > n.index and line::jsonb ->> 'state' <> 'opened')
              end as "answeredAtMs"
       from (select * from (${kinds.map(ofKind).join(' union all ')}) of_kinds ${newest}) n
      order by n.at_ms desc, n.generation desc, n.index desc`,
    params.values,
  )
  return rows
}
