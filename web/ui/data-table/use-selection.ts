import { useState } from 'react'

export type Selection<Row> = {
  readonly selected: ReadonlyMap<string, Row>
  readonly setIds: (ids: readonly string[]) => void
  readonly clear: () => void
}

const nothing: ReadonlyMap<string, never> = new Map<string, never>()

/**
 * Selected rows by their ids. They stay selected from page to page, each as last seen. Other filters clear the
 * selection, so that nobody acts on rows that the filters hide.
 * @param filterKey names the filters
 * @param rows the rows on screen
 */
export function useSelection<Row>(
  filterKey: string,
  rows: readonly Row[],
  rowId: (row: Row) => string,
): Selection<Row> {
  const [kept, setKept] = useState<{ readonly filterKey: string; readonly rows: ReadonlyMap<string, Row> }>({
    filterKey,
    rows: nothing,
  })
  let selected = kept.filterKey === filterKey ? kept.rows : nothing
  const changed = rows.filter((row) => selected.has(rowId(row)) && selected.get(rowId(row)) !== row)
  if (changed.length > 0) {
    selected = new Map([...selected, ...changed.map((row) => [rowId(row), row] as const)])
    setKept({ filterKey, rows: selected })
  }
  return {
    selected,
    setIds: (ids) => {
      const known = new Map([...selected, ...rows.map((row) => [rowId(row), row] as const)])
      const picked = ids.flatMap((id) => {
        const row = known.get(id)
        return row === undefined ? [] : [[id, row] as const]
      })
      setKept({ filterKey, rows: new Map(picked) })
    },
    clear: () => setKept({ filterKey, rows: nothing }),
  }
}
