/**
 * Rows that keep their place while the user reads or aims at them. Answers of the server update them in place; new rows
 * and a new order are held back until the user asks for them.
 */

/** How to identify a row of a list, and how to compare the age of two. */
export type RowFacts<Row> = {
  readonly rowId: (row: Row) => string
  /** When the row was created, ms since the epoch. */
  readonly createdAtMs: (row: Row) => number
}

export type HeldRows<Row> = {
  /** The rows on screen, in their order, each in its latest known state. */
  readonly rows: readonly Row[]
  /** The number of rows in the newest answer that are newer than every row on screen. */
  readonly arrived: number
  /** True when the newest answer contains other rows or another order. */
  readonly isMoved: boolean
}

/**
 * The rows to show after a new answer.
 * @param held the rows on screen
 * @param fresh the newest answer for the same page
 * @param elsewhere rows that left the page, requested by their ids; undefined until they have been answered
 */
export function holdRows<Row>(
  held: readonly Row[],
  fresh: readonly Row[],
  elsewhere: readonly Row[] | undefined,
  { rowId, createdAtMs }: RowFacts<Row>,
): HeldRows<Row> {
  // An empty list has no row to keep in place.
  if (held.length === 0) return { rows: fresh, arrived: 0, isMoved: false }
  const known = new Map([...(elsewhere ?? []), ...fresh].map((row) => [rowId(row), row]))
  const rows = held
    .filter((row) => known.has(rowId(row)) || elsewhere === undefined)
    .map((row) => known.get(rowId(row)) ?? row)
  if (rows.length === 0) return { rows: fresh, arrived: 0, isMoved: false }
  const heldIds = new Set(held.map(rowId))
  const newestMs = Math.max(...held.map(createdAtMs))
  return {
    rows,
    arrived: fresh.filter((row) => !heldIds.has(rowId(row)) && createdAtMs(row) > newestMs).length,
    isMoved: rows.length !== fresh.length || rows.some((row, at) => rowId(row) !== idAt(fresh, at, rowId)),
  }
}

function idAt<Row>(rows: readonly Row[], at: number, rowId: (row: Row) => string): string | undefined {
  const row = rows[at]
  return row === undefined ? undefined : rowId(row)
}

/** The ids of rows that are on screen and not in the newest answer, to request their current state. */
export function missingIds<Row>(
  held: readonly Row[],
  fresh: readonly Row[],
  rowId: (row: Row) => string,
): readonly string[] {
  const freshIds = new Set(fresh.map(rowId))
  return held.map(rowId).filter((id) => !freshIds.has(id))
}
