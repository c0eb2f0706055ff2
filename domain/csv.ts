/** CSV for spreadsheets: UTF-8 with a byte order mark, CRLF, and an apostrophe before text that may be a formula. */

export type CsvValue = string | number | { readonly decimal: string }

/** The byte order mark. Without it, some spreadsheets do not read the file as UTF-8, and garble Vietnamese text. */
export const CSV_MARK = '\uFEFF'

const formulaStart = '[=+\\-@\\uFF1D\\uFF0B\\uFF0D\\uFF20]'

/**
 * A spreadsheet may see the start of a cell at the start of the text, and after any character that separates cells in
 * another locale (semicolon, tab, line break), even inside quotes.
 */
const atStart = new RegExp(`^(?= *(?:${formulaStart}|[\\t\\r\\n]))`)
const afterSeparator = new RegExp(`([;\\t\\r\\n])(?= *${formulaStart})`, 'g')

export function neutralise(text: string): string {
  return text.replaceAll(afterSeparator, `$1'`).replace(atStart, `'`)
}

function cellOf(value: CsvValue): string {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : ''
  if (typeof value === 'object') return /^-?\d+(\.\d+)?$/.test(value.decimal) ? value.decimal : ''
  const safe = neutralise(value)
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export const csvLine = (row: readonly CsvValue[]): string => `${row.map(cellOf).join(',')}\r\n`

export function writeCsv(header: readonly string[], rows: ReadonlyArray<readonly CsvValue[]>): string {
  return CSV_MARK + [header, ...rows].map(csvLine).join('')
}
