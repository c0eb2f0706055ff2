/**
 * CSV that a spreadsheet opens right in Vietnamese and that can run nothing: UTF-8 with its mark, CRLF, and no cell of
 * text that a spreadsheet would take for a formula. Numbers stay numbers.
 */

/** A text, a number, or an exact decimal as plain digits (`-1234.50`), such as minorToText of domain/money writes. */
export type CsvValue = string | number | { readonly decimal: string }

/** The byte order mark: without it a spreadsheet does not read the file as UTF-8, and Vietnamese comes out wrong. */
const mark = '\uFEFF'

/** What begins a formula, also in the full-width forms that East Asian keyboards type. */
const formulaStart = '[=+\\-@\\uFF1D\\uFF0B\\uFF0D\\uFF20]'

/**
 * A cell could begin at the start, and after whatever another language's spreadsheet takes for a separator (semicolon,
 * tab, line break), which quotes do not hide from it.
 */
const atStart = new RegExp(`^(?= *(?:${formulaStart}|[\\t\\r\\n]))`)
const afterSeparator = new RegExp(`([;\\t\\r\\n])(?= *${formulaStart})`, 'g')

/** A text that no spreadsheet evaluates: an apostrophe stands before whatever would begin a formula. */
export function neutralise(text: string): string {
  return text.replaceAll(afterSeparator, `$1'`).replace(atStart, `'`)
}

function cellOf(value: CsvValue): string {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : ''
  if (typeof value === 'object') return /^-?\d+(\.\d+)?$/.test(value.decimal) ? value.decimal : ''
  const safe = neutralise(value)
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** The whole file as text, its mark included. */
export function writeCsv(header: readonly string[], rows: ReadonlyArray<readonly CsvValue[]>): string {
  return mark + [header, ...rows].map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')
}
