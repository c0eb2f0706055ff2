import { replaceEqualDeep } from '@tanstack/react-query'
import { createContext, useState } from 'react'
import type { LoadedRows } from './export-rows.ts'

/** Deselects the rows that an act has settled. `isRest` is true if other rows of the act remain. */
type LeaveSelection = (settledIds: ReadonlySet<string>, isRest: boolean) => void

export const LeaveSelectionContext = createContext<LeaveSelection>(() => {})

export type AllRows<Row> = {
  readonly count: number
  /** Loads the rows. Call it when the user reviews the act, so that the act leaves out rows that appear later. */
  readonly load: (signal: AbortSignal) => Promise<LoadedRows<Row>>
}

const nothing: ReadonlyMap<string, never> = new Map<string, never>()

/**
 * Keeps rows selected across pages, each in its last known state. A change of filters clears the selection, so that no
 * act applies to rows that the filters hide. After "all rows" is chosen, unticking a row leaves only the other rows on
 * screen selected.
 */
export function useSelection<Row>(filterKey: string, rows: readonly Row[], rowId: (row: Row) => string) {
  const [kept, setKept] = useState<{
    readonly filterKey: string
    readonly rows: ReadonlyMap<string, Row>
    readonly isAll: boolean
  }>({ filterKey, rows: nothing, isAll: false })
  // Clear the stored selection, too: otherwise it would return when the user sets the previous filters again.
  if (kept.filterKey !== filterKey) setKept({ filterKey, rows: nothing, isAll: false })
  const isAll = kept.isAll && kept.filterKey === filterKey
  const onScreen = () => rows.map((row) => [rowId(row), row] as const)
  let selected: ReadonlyMap<string, Row> = isAll
    ? new Map(onScreen())
    : kept.filterKey === filterKey
      ? kept.rows
      : nothing
  // Compare contents: equal rows may be new objects at each render, and setting state for them would loop.
  const isChanged = (row: Row, before = selected.get(rowId(row))) =>
    before !== undefined && replaceEqualDeep(before, row) !== before
  const changed = isAll ? [] : rows.filter((row) => isChanged(row))
  if (changed.length > 0) {
    selected = new Map([...selected, ...changed.map((row) => [rowId(row), row] as const)])
    setKept({ filterKey, rows: selected, isAll: false })
  }
  return {
    /** While all rows are chosen, these are the rows on screen, and `picked` is empty. */
    selected,
    picked: isAll ? [] : [...selected.values()],
    isAll,
    setIds: (ids: readonly string[]) => {
      const known = new Map([...selected, ...onScreen()])
      const picked = ids.flatMap((id) => {
        const row = known.get(id)
        return row === undefined ? [] : [[id, row] as const]
      })
      setKept({ filterKey, rows: new Map(picked), isAll: false })
    },
    chooseAll: () => setKept({ filterKey, rows: nothing, isAll: true }),
    clear: () => setKept({ filterKey, rows: nothing, isAll: false }),
    leave: ((settledIds, isRest) =>
      setKept((now) => ({
        ...now,
        rows: new Map([...now.rows].filter(([id]) => !settledIds.has(id))),
        // If some rows remain, "all" stays chosen: the next act loads the rows anew.
        isAll: now.isAll && isRest,
      }))) satisfies LeaveSelection,
  }
}

export type Selection<Row> = ReturnType<typeof useSelection<Row>>
