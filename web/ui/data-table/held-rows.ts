/**
 * Rows that stay where they are while somebody reads or aims at them. What comes from the server changes them in place;
 * new rows and another order wait until they are asked for.
 */

/** How to identify a list's rows, and which of two is newer. */
export type RowFacts<Row> = {
  readonly rowId: (row: Row) => string
  /** When the row came to be, ms since the epoch. */
  readonly createdAtMs: (row: Row) => number
}

export type HeldRows<Row> = {
  /** The rows on screen, in their order, each as last heard of. */
  readonly rows: readonly Row[]
  /** Rows of the newest answer that came to be after every row on screen. */
  readonly arrived: number
  /** True when the newest answer holds other rows, or in another order. */
  readonly isMoved: boolean
}

/**
 * @param held the rows on screen
 * @param fresh the newest answer for the same page
 * @param elsewhere rows that left the page, asked for by their ids; undefined until the answer is there
 */
export function holdRows<Row>(
  held: readonly Row[],
  fresh: readonly Row[],
  elsewhere: readonly Row[] | undefined,
  { rowId, createdAtMs }: RowFacts<Row>,
): HeldRows<Row> {
  // Nobody aims at an empty list.
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

/** The rows that are on screen and not in the newest answer: whoever wants to know about them asks by these ids. */
export function missingIds<Row>(
  held: readonly Row[],
  fresh: readonly Row[],
  rowId: (row: Row) => string,
): readonly string[] {
  const freshIds = new Set(fresh.map(rowId))
  return held.map(rowId).filter((id) => !freshIds.has(id))
}
