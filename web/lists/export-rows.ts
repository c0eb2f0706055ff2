import type { RowData } from '@tanstack/react-table'
import { writeCsv } from '#domain/csv.ts'
import { PAGE_LIMIT_MAX, TOTAL_COUNTED_TO } from '#contract/limits.ts'
import { formatDate } from '#web/platform/formats.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { saveFile } from '#web/ui/save-file.ts'
import type { TableColumn } from './table-model.ts'

export type RowSource<Row> = {
  readonly loadPage: (
    page: number,
    signal: AbortSignal,
  ) => Promise<{ readonly rows: readonly Row[]; readonly hasMore: boolean }>
  /** Returns the ids of all rows at one moment (rules §6.1). Undefined for a list that only grows. */
  readonly loadIds: ((signal: AbortSignal) => Promise<readonly string[]>) | undefined
  /** Returns the rows with these ids, even those that have left the list. */
  readonly loadByIds: (ids: readonly string[], signal: AbortSignal) => Promise<readonly Row[]>
}

export type LoadedRows<Row> = {
  readonly rows: readonly Row[]
  readonly isAll: boolean
  /** The number of rows that were deleted after their ids had been loaded. */
  readonly missing: number
}

/**
 * Loads up to `most` rows. A list that rows can leave is loaded by ids: if a row leaves an earlier page, later rows
 * move up, and reading page by page would miss one. A list that only grows is loaded page by page; a row on two pages
 * counts once.
 */
export async function loadAll<Row>(
  { loadPage, loadIds, loadByIds }: RowSource<Row>,
  rowId: (row: Row) => string,
  signal: AbortSignal,
  onProgress: (count: number) => void,
  most: number = TOTAL_COUNTED_TO,
): Promise<LoadedRows<Row>> {
  const rows = new Map<string, Row>()
  const take = (more: readonly Row[]) => {
    for (const row of more) rows.set(rowId(row), row)
    onProgress(rows.size)
  }
  if (loadIds !== undefined) {
    const ids = await loadIds(signal)
    const wanted = ids.slice(0, most)
    for (let at = 0; at < wanted.length; at += PAGE_LIMIT_MAX)
      take(await loadByIds(wanted.slice(at, at + PAGE_LIMIT_MAX), signal))
    const found = wanted.flatMap((id) => rows.get(id) ?? [])
    return { rows: found, isAll: ids.length <= most, missing: wanted.length - found.length }
  }
  let hasMore = true
  for (let page = 1; hasMore && rows.size < most; page++) {
    const answer = await loadPage(page, signal)
    take(answer.rows)
    hasMore = answer.hasMore && answer.rows.length > 0
  }
  return { rows: [...rows.values()].slice(0, most), isAll: !hasMore && rows.size <= most, missing: 0 }
}

export function downloadCsv<Row extends RowData>(
  name: string,
  columns: ReadonlyArray<TableColumn<Row>>,
  rows: readonly Row[],
  isComplete = true,
): void {
  const exported = columns.flatMap(({ label, csv }) => (csv === undefined ? [] : [{ label, csv }]))
  const text = writeCsv(
    exported.map(({ label }) => label),
    rows.map((row) => exported.map(({ csv }) => csv(row))),
  )
  const day = formatDate(serverNowMs()).replaceAll('/', '-')
  saveFile(`${name}-${day}${isComplete ? '' : '-chua-du'}.csv`, 'text/csv;charset=utf-8', text)
}
