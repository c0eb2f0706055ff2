import type { Meta } from '#contract/envelope.ts'
import type { AskedBy, ListDeclaration } from '#contract/lists.ts'
import { PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX, TOTAL_COUNTED_TO } from '#contract/limits.ts'
import { points } from '#domain/money.ts'
import type { Database, Queryable } from '#server/platform/database/db.ts'
import { collectParams, type Params } from '#server/platform/database/sql.ts'
import { refuseFields } from './errors.ts'

export interface Page {
  readonly page: number
  readonly limit: number
  readonly offset: number
}

/** The offset is limited, because the database reads all rows before it. */
const OFFSET_MAX = 100_000

export function pageOf(
  query: { page?: number | undefined; limit?: number | undefined },
  defaultLimit: number = PAGE_LIMIT_DEFAULT,
): Page {
  const { page = 1, limit = defaultLimit } = query
  if (limit < 1 || limit > PAGE_LIMIT_MAX) throw refuseFields({ path: 'limit', message: `1–${PAGE_LIMIT_MAX}` })
  const lastPage = Math.floor(OFFSET_MAX / limit) + 1
  if (page < 1 || page > lastPage) throw refuseFields({ path: 'page', message: `1–${lastPage}` })
  return { page, limit, offset: (page - 1) * limit }
}

export interface Sort<Column extends string = string> {
  readonly column: Column
  readonly isDescending: boolean
}

/** Reads a sort order: `name` is ascending, `-name` descending. Throws a refusal (400) for a name not in `sorts`. */
export function sortOf<L extends ListDeclaration>(
  sort: string | undefined,
  { sorts, firstSort }: L,
): Sort<L['sorts'][number]> {
  const asked = sort ?? firstSort
  const isDescending = asked.startsWith('-')
  const column = sorts.find((name) => name === (isDescending ? asked.slice(1) : asked))
  if (column === undefined) throw refuseFields({ path: 'sort', message: sorts.join(', ') })
  return { column, isDescending }
}

export const WHOLE_LIST: Page = { page: 1, limit: TOTAL_COUNTED_TO, offset: 0 }

export type FilterOf<L extends ListDeclaration> = AskedBy<L['filters']> & {
  ids?: readonly string[] | undefined
}

/**
 * A function for each declared filter. The function gets the value of a request and returns an SQL condition, whose
 * parameters it adds, or null if no row is excluded.
 */
export type FilterSql<Filter> = {
  readonly [Name in Exclude<keyof Filter, 'ids'>]-?: (
    asked: NonNullable<Filter[Name]>,
    add: Params['add'],
  ) => string | null
}

export function conditionsOf<Filter extends { readonly ids?: readonly string[] | undefined }>(
  filters: FilterSql<Filter>,
  id: string,
  asked: Filter,
  { add }: Params,
): string[] {
  const parts = (Object.keys(filters) as Array<Exclude<keyof Filter, 'ids'>>).flatMap((name) => {
    const value = asked[name]
    return value == null ? [] : (filters[name](value, add) ?? [])
  })
  return asked.ids === undefined ? parts : [...parts, `${id} = any(${add([...asked.ids])}::uuid[])`]
}

export const equals = (column: string) => (asked: string, add: Params['add']) => `${column} = ${add(asked)}`
/** Conditions for `from` (included) and `to` (excluded), both in Unix ms. */
export const inTime = (column: string) => ({
  from: (atMs: number, add: Params['add']) => `${column} >= ${add(new Date(atMs))}`,
  to: (atMs: number, add: Params['add']) => `${column} < ${add(new Date(atMs))}`,
})
/** Conditions for `min` and `max`, both included, in whole points, over a column of minor units. */
export const inAmount = (column: string) => ({
  min: (whole: number, add: Params['add']) => `${column} >= ${add(points(whole))}`,
  max: (whole: number, add: Params['add']) => `${column} <= ${add(points(whole))}`,
})

export interface AskedPage<Filter> {
  readonly filter: Filter
  readonly sort: Sort
  readonly page: Page
}

export interface ListSql<Filter> {
  readonly list: ListDeclaration
  /** Returns SQL for the ids of a page, as `id`, and of one more row, which shows whether a next page exists. */
  readonly ids: (params: Params, asked: AskedPage<Filter>) => string
  readonly counted: (params: Params, filter: Filter) => string
}

export interface TableSql<Filter> extends ListSql<Filter> {
  readonly where: (params: Params, filter: Filter) => string
  /** Returns `where … order by …` for the rows of a page and one more row, so that a query joins only these. */
  readonly page: (params: Params, asked: AskedPage<Filter>) => string
}

export interface Table<L extends ListDeclaration, Filter> {
  readonly table: string
  readonly id: string
  /** The column of each declared sort. Rows with equal values are sorted by id, in the same direction. */
  readonly sorts: Readonly<Record<L['sorts'][number], string>>
  readonly filters: FilterSql<Filter>
}

export function tableSql<const L extends ListDeclaration, Filter extends FilterOf<L> = FilterOf<L>>(
  list: L,
  { table, id, sorts, filters }: Table<NoInfer<L>, NoInfer<Filter>>,
): TableSql<Filter> {
  const columns: Readonly<Record<string, string>> = sorts
  const where = (params: Params, filter: Filter) => {
    const conditions = conditionsOf(filters, id, filter, params)
    return conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`
  }
  const orderBy = ({ column, isDescending }: Sort) =>
    `order by ${[...new Set([columns[column] ?? id, id])].map((one) => `${one} ${isDescending ? 'desc' : 'asc'}`).join(', ')}`
  const ids: ListSql<Filter>['ids'] = (params, { filter, sort, page: { limit, offset } }) =>
    `select ${id} from ${table} ${where(params, filter)}
      ${orderBy(sort)} limit ${params.add(limit + 1)} offset ${params.add(offset)}`
  return {
    list,
    where,
    ids,
    page: (params, asked) => `where ${id} = any(array(${ids(params, asked)})) ${orderBy(asked.sort)}`,
    counted: (params, filter) => `select 1 from ${table} ${where(params, filter)} limit ${params.add(COUNT_CAP)}`,
  }
}

/** Counts rows. The SQL of `counted` has to end with a limit, because counting a long list takes too long. */
export async function countRows(db: Queryable, counted: (params: Params) => string): Promise<number> {
  const params = collectParams()
  const text = counted(params)
  const { rows } = await db.query<{ n: bigint }>(`select count(*) as n from (${text}) counted`, params.values)
  return Number(rows[0]?.n ?? 0n)
}

/** Reads the ids of the whole list at one moment, so that a client can fetch the rows later by their ids. */
async function readIds<Filter>(db: Queryable, sql: ListSql<Filter>, asked: AskedPage<Filter>): Promise<string[]> {
  const params = collectParams()
  const { rows } = await db.query<{ id: string }>(sql.ids(params, { ...asked, page: WHOLE_LIST }), params.values)
  return rows.map(({ id }) => id)
}

interface ListQuery {
  readonly page?: number | undefined
  readonly limit?: number | undefined
  readonly sort?: string | undefined
  readonly whole?: 'ids' | undefined
}

/** @param read reads the rows of the page and one more row, if there is one */
export async function answerList<Answered, Filter>(
  db: Database,
  sql: ListSql<Filter>,
  query: ListQuery & Filter,
  read: (db: Database, asked: AskedPage<Filter>) => Promise<readonly Answered[]>,
): Promise<{ data: Answered[]; meta: Meta }> {
  const asked = { filter: query, page: pageOf(query), sort: sortOf(query.sort, sql.list) }
  const [rows, counted, ids] = await Promise.all([
    read(db, asked),
    countRows(db, (params) => sql.counted(params, query)),
    query.whole === 'ids' ? readIds(db, sql, asked) : undefined,
  ])
  return listAnswer(rows, counted, asked.page, ids)
}

/**
 * @param rows one row more than the limit if there is a next page
 * @param counted at most TOTAL_COUNTED_TO + 1, which stands for any larger number (rules §6.1)
 */
export function listAnswer<T>(
  rows: readonly T[],
  counted: number,
  { page, limit }: Page,
  ids?: string[],
): { data: T[]; meta: Meta } {
  const isCapped = counted > TOTAL_COUNTED_TO
  return {
    data: rows.slice(0, limit),
    meta: {
      total: Math.min(counted, TOTAL_COUNTED_TO),
      ...(isCapped ? { totalCapped: true } : {}),
      page,
      limit,
      hasMore: rows.length > limit,
      ...(ids === undefined ? {} : { ids }),
    },
  }
}

export const COUNT_CAP = TOTAL_COUNTED_TO + 1
