import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PAGE_LIMIT_MAX } from '#contract/limits.ts'

/** This file keeps rows in place on screen: new rows and a new order are held back until the user asks for them. */

export type RowFacts<Row> = {
  readonly rowId: (row: Row) => string
  readonly createdAtMs: (row: Row) => number
  /** True for a row that the user has just changed: if the row leaves the list, the user is not notified. */
  readonly isOwnAct?: ((row: Row) => boolean) | undefined
}

export type HeldRows<Row> = {
  readonly rows: readonly Row[]
  /** The number of rows in the newest answer that are newer than every row on screen. */
  readonly arrived: number
  /** True if the newest answer has other rows than the screen, or another order, not counting the user's own acts. */
  readonly isMoved: boolean
  /** The rows on screen that the newest answer does not contain. */
  readonly left: readonly Row[]
}

/** Merges the newest answer into the rows on screen. `elsewhere`: rows that left the page; undefined until fetched. */
export function holdRows<Row>(
  held: readonly Row[],
  fresh: readonly Row[],
  elsewhere: readonly Row[] | undefined,
  { rowId, createdAtMs, isOwnAct }: RowFacts<Row>,
): HeldRows<Row> {
  if (held.length === 0) return { rows: fresh, arrived: 0, isMoved: false, left: [] }
  const known = new Map([...(elsewhere ?? []), ...fresh].map((row) => [rowId(row), row]))
  const kept = held
    .filter((row) => known.has(rowId(row)) || elsewhere === undefined)
    .map((row) => known.get(rowId(row)) ?? row)
  if (kept.length === 0) return { rows: fresh, arrived: 0, isMoved: false, left: [] }
  const heldIds = new Set(held.map(rowId))
  const order = fresh.map(rowId)
  const freshIds = new Set(order)
  const left = kept.filter((row) => !freshIds.has(rowId(row)))
  const others = fresh.filter((row) => !heldIds.has(rowId(row)))
  // New rows at the end of the answer may take the places of rows that left. They are shown at once, since they move
  // no other row.
  const following = fresh.slice(fresh.length - others.length)
  // An answer without any row of the screen is of the same page only if the user's own acts removed all rows on screen.
  // Otherwise newer rows may have pushed the rows on screen to later pages.
  const isSamePage = left.length < kept.length || left.every((row) => isOwnAct?.(row) === true)
  const isRefill =
    isSamePage &&
    others.length <= left.length + held.length - kept.length &&
    following.every((row) => !heldIds.has(rowId(row)))
  const rows = isRefill ? [...kept, ...following] : kept
  const expected = rows.filter((row) => freshIds.has(rowId(row)) || isOwnAct?.(row) !== true)
  const newestMs = Math.max(...held.map(createdAtMs))
  return {
    rows,
    arrived: isRefill ? 0 : others.filter((row) => createdAtMs(row) > newestMs).length,
    isMoved: expected.length !== fresh.length || expected.some((row, at) => rowId(row) !== order[at]),
    left,
  }
}

export function missingIds<Row>(
  held: readonly Row[],
  fresh: readonly Row[],
  rowId: (row: Row) => string,
): readonly string[] {
  const freshIds = new Set(fresh.map(rowId))
  return held.map(rowId).filter((id) => !freshIds.has(id))
}

export type AskForRows<Row> = (ids: readonly string[]) => {
  readonly queryKey: readonly unknown[]
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<readonly Row[]>
}

export type HoldOptions<Row> = RowFacts<Row> & {
  /** Identifies the view: filters, order and page. After a change of view, the next answer is shown at once. */
  readonly viewKey: string
  readonly fresh: readonly Row[] | undefined
  /** Requests rows that left the page. Without it, such rows stay on screen in their last known state. */
  readonly askFor: AskForRows<Row> | undefined
}

export type Held<Row> = Omit<HeldRows<Row>, 'rows'> & {
  readonly rows: readonly Row[] | undefined
  readonly show: () => void
  /** Removes rows from the screen. */
  readonly drop: (...ids: readonly string[]) => void
}

const noQuery = { queryKey: ['no rows'] as readonly unknown[], queryFn: () => Promise.resolve([]) }
const none: readonly never[] = []

export function useHeldRows<Row>({ viewKey, fresh: answered, askFor, ...facts }: HoldOptions<Row>): Held<Row> {
  // An answer that arrives after `drop` may be older than the removal, so dropped rows are left out of answers.
  const [dropped, setDropped] = useState<{ readonly viewKey: string; readonly ids: readonly string[] }>()
  const droppedIds = dropped?.viewKey === viewKey ? dropped.ids : none
  const fresh = droppedIds.length === 0 ? answered : answered?.filter((row) => !droppedIds.includes(facts.rowId(row)))
  const [kept, setKept] = useState<{ readonly viewKey: string; readonly rows: readonly Row[] }>()
  const held = kept?.viewKey === viewKey ? kept.rows : undefined
  const missing =
    held === undefined || fresh === undefined ? [] : missingIds(held, fresh, facts.rowId).slice(-PAGE_LIMIT_MAX)
  const isAsking = askFor !== undefined && missing.length > 0
  const away = useQuery<readonly Row[]>({ ...(isAsking ? askFor(missing) : noQuery), enabled: isAsking })

  // Until the first answer for this page arrives, show the previous page.
  if (fresh === undefined)
    return { rows: held ?? kept?.rows, arrived: 0, isMoved: false, left: none, show: () => {}, drop: () => {} }

  // Missing rows beyond the number that one call may request stay on screen as they were.
  const unasked = held?.filter((row) => !missing.includes(facts.rowId(row))) ?? none
  const elsewhere =
    missing.length === 0 ? none : isAsking && away.data !== undefined ? [...unasked, ...away.data] : undefined
  const { rows, arrived, isMoved, left } = holdRows(held ?? fresh, fresh, elsewhere, facts)
  // Keep each row's latest known state: it is shown while a later request for missing rows is under way.
  if (held === undefined || rows.length !== held.length || rows.some((row, at) => row !== held[at]))
    setKept({ viewKey, rows })
  return {
    rows,
    arrived,
    isMoved,
    left,
    show: () => setKept({ viewKey, rows: fresh }),
    drop: (...ids) => {
      setDropped({ viewKey, ids: [...droppedIds, ...ids] })
      setKept({ viewKey, rows: rows.filter((row) => !ids.includes(facts.rowId(row))) })
    },
  }
}
