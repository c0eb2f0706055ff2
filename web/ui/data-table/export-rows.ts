import type { RowData } from '@tanstack/react-table'
import { writeCsv } from '#domain/csv.ts'
import { TOTAL_COUNTED_TO } from '#contract/limits.ts'
import { formatDate } from '#web/platform/formats.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { saveFile } from '#web/ui/save-file.ts'
import type { TableColumn } from './table-model.ts'

/** Loads one page of the list, with as many rows as the server gives at once. */
export type LoadPage<Row> = (
  page: number,
  signal: AbortSignal,
) => Promise<{ readonly rows: readonly Row[]; readonly hasMore: boolean }>

/**
 * All rows of a list, page after page, up to 10,000 or `most`. A row that moved to the next page meanwhile is included once.
 * @param onProgress receives the number of rows so far
 */
export async function loadAll<Row>(
  loadPage: LoadPage<Row>,
  rowId: (row: Row) => string,
  signal: AbortSignal,
  onProgress: (count: number) => void,
  most: number = TOTAL_COUNTED_TO,
): Promise<{ readonly rows: readonly Row[]; readonly isAll: boolean }> {
  const rows = new Map<string, Row>()
  let hasMore = true
  for (let page = 1; hasMore && rows.size < most; page++) {
    const answer = await loadPage(page, signal)
    for (const row of answer.rows) rows.set(rowId(row), row)
    hasMore = answer.hasMore && answer.rows.length > 0
    onProgress(rows.size)
  }
  return { rows: [...rows.values()].slice(0, most), isAll: !hasMore && rows.size <= most }
}

/** The list's rows, page after page, up to this many. */
export async function loadUpTo<Row>(
  most: number,
  loadPage: LoadPage<Row>,
  rowId: (row: Row) => string,
  signal: AbortSignal,
): Promise<readonly Row[]> {
  const { rows } = await loadAll(loadPage, rowId, signal, () => {}, most)
  return rows
}

/** Saves the rows as a file named after the list and the day: `transactions-20-11-2026.csv`. */
export function downloadCsv<Row extends RowData>(
  name: string,
  columns: ReadonlyArray<TableColumn<Row>>,
  rows: readonly Row[],
): void {
  const exported = columns.flatMap(({ label, csv }) => (csv === undefined ? [] : [{ label, csv }]))
  const text = writeCsv(
    exported.map(({ label }) => label),
    rows.map((row) => exported.map(({ csv }) => csv(row))),
  )
  saveFile(`${name}-${formatDate(serverNowMs()).replaceAll('/', '-')}.csv`, 'text/csv;charset=utf-8', text)
}
