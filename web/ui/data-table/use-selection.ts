import { useState } from 'react'

export type Selection<Row> = {
  readonly selected: ReadonlyMap<string, Row>
  readonly setIds: (ids: readonly string[]) => void
  readonly clear: () => void
}

const nothing: ReadonlyMap<string, never> = new Map<string, never>()

/**
 * Selected rows by id. They stay selected across pages, each in its last known state. A change of filters clears the
 * selection, so that no act applies to rows that the filters hide.
 * @param filterKey identifies the filters
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
