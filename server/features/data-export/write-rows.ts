import { clockTextOf } from '#domain/day.ts'
import { CSV_MARK, csvLine, type CsvValue } from '#domain/csv.ts'
import { minorToNumber, minorToText } from '#domain/money.ts'
import type { Queryable, Row } from '#server/platform/database/db.ts'
import { type Column, type DataSet, PAGE_ROWS, type PageAt } from './data-sets.ts'

export type Scope = Omit<PageAt, 'afterA' | 'afterB'>

interface CursorRow extends Row {
  readonly cursor_a: string
  readonly cursor_b: string
  /** True for a bet that was placed after the last exported transfer: such a row is left out. */
  readonly is_later?: boolean
}

async function* pagesOf(db: Queryable, { page, first }: DataSet, scope: Scope): AsyncGenerator<CursorRow[]> {
  let [afterA, afterB] = first
  for (;;) {
    // Pages are read one after the other: the query for a page needs the cursor of the previous page's last row.
    // oxlint-disable-next-line no-await-in-loop -- see above
    const { rows } = await db.query<CursorRow>(...page({ ...scope, afterA, afterB }))
    yield rows.filter((row) => row.is_later !== true)
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE_ROWS) return
    ;[afterA, afterB] = [last.cursor_a, last.cursor_b]
  }
}

export async function* jsonOf(db: Queryable, set: DataSet, scope: Scope): AsyncGenerator<string> {
  let before = '[\n'
  for await (const rows of pagesOf(db, set, scope)) {
    if (rows.length === 0) continue
    yield before + rows.map((row) => JSON.stringify(objectOf(row, set.columns))).join(',\n')
    before = ',\n'
  }
  yield before === '[\n' ? '[]\n' : '\n]\n'
}

export async function* csvOf(db: Queryable, set: DataSet, scope: Scope): AsyncGenerator<string> {
  yield CSV_MARK + csvLine(set.columns.map(({ title }) => title))
  for await (const rows of pagesOf(db, set, scope))
    yield rows.map((row) => csvLine(set.columns.map((column) => csvValue(row[column.name], column)))).join('')
}

const objectOf = (row: Row, columns: readonly Column[]) =>
  Object.fromEntries(columns.map((column) => [column.name, jsonValue(row[column.name], column)]))

/** Writes points and prices as numbers of points and dollars, and moments as ISO 8601 in UTC. */
function jsonValue(value: unknown, { kind }: Column): unknown {
  if (value === null || value === undefined) return null
  if (kind === 'points') return minorToNumber(value as bigint)
  if (kind === 'price') return Number(value) / 1000
  if (kind === 'count') return Number(value)
  return kind === 'moment' ? (value as Date).toISOString() : value
}

/** Writes points and prices as decimals, and moments in Vietnam's time, in a form that spreadsheets read as a date. */
function csvValue(value: unknown, { kind }: Column): CsvValue {
  if (value === null || value === undefined) return ''
  if (kind === 'points') return { decimal: minorToText(value as bigint) }
  if (kind === 'price') return { decimal: (Number(value) / 1000).toFixed(3) }
  if (kind === 'count') return Number(value)
  if (kind === 'yes-no') return value === true ? 'Có' : 'Không'
  return kind === 'moment' ? clockTextOf((value as Date).getTime()) : (value as string)
}
