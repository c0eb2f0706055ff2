/** One line of the printed table: a figure, its yardstick, and its bar, which is the limit that it has to meet. */
export interface Line {
  readonly name: string
  readonly ours: string
  readonly yardstick: string
  readonly ratio: string
  readonly bar: string
  /** Null for a figure that has no bar. */
  readonly isMet: boolean | null
  readonly note: string
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[(values.length - 1) >> 1] ?? Number.NaN

/** Prints the lines as the table in docs/benchmarks.md. */
export function printLines(lines: readonly Line[]): void {
  printTable([
    ['what', 'ours', 'yardstick', 'ratio', 'bar', '', 'note'],
    ...lines.map(({ name, ours, yardstick, ratio, bar, isMet, note }) => [
      ...[name, ours, yardstick, ratio, bar],
      isMet === null ? '' : isMet ? 'met' : 'MISSED',
      note,
    ]),
  ])
}

/** Prints rows as a Markdown table; the first row is its header. */
export function printTable(rows: ReadonlyArray<readonly string[]>): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(3, ...rows.map((row) => (row[column] ?? '').length)))
  const text = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |\n`
  for (const [index, row] of rows.entries()) {
    process.stdout.write(text(row))
    if (index === 0) process.stdout.write(text(widths.map((width) => '-'.repeat(width))))
  }
}
