import type { RowData } from '@tanstack/react-table'
import type { ReactNode } from 'react'
import { loadAll } from './export-rows.ts'
import { Pager } from './pager.tsx'
import { AllOfFilter, SelectionBar } from './selection-bar.tsx'
import type { FilterSpecs } from './table-search.ts'
import { ExportButton, type ListToolsProps } from './table-tools.tsx'
import type { AllRows, Selection } from './use-selection.ts'

export type ListFootActs<Row extends RowData> = {
  readonly isFaded?: ((row: Row) => boolean) | undefined
  /**
   * Returns the buttons of acts on `rows`; null if no act applies to these rows. If all rows that match the filters are
   * chosen, `all` is given, and `rows` are only those on screen.
   */
  readonly bulk?: ((rows: readonly Row[], all: AllRows<Row> | null) => ReactNode) | undefined
  /** The most rows that one act takes. If given, all rows that match the filters can be chosen (rules §6.1). */
  readonly chooseAllUpTo?: number | undefined
}

export type ListFootProps<Row extends RowData, Filters extends FilterSpecs> = ListFootActs<Row> &
  Pick<ListToolsProps<Row, Filters>, 'list' | 'columns' | 'model' | 'isWide'> & { readonly selection: Selection<Row> }

export function ListFoot<Row extends RowData, Filters extends FilterSpecs>({
  list,
  columns,
  model,
  selection,
  isWide,
  isFaded,
  bulk,
  chooseAllUpTo,
}: ListFootProps<Row, Filters>) {
  const { address, held, rowId, source } = list
  const { view, change } = address
  const { meta } = list.state
  const { isAll } = selection
  const total = meta?.total ?? 0
  const rows = [...selection.selected.values()]
  const selectedCount = isAll ? total : rows.length
  const all: AllRows<Row> | null =
    isAll && chooseAllUpTo !== undefined
      ? { count: total, load: (signal) => loadAll(source, rowId, signal, () => {}, chooseAllUpTo) }
      : null
  const acts = rows.length === 0 ? null : (bulk?.(rows, all) ?? null)
  // Faded rows that left the list are still on screen. The server's total leaves them out, so they are added.
  const leftCount = isFaded === undefined ? 0 : held.left.filter(isFaded).length
  return (
    <>
      {acts !== null && (
        <SelectionBar
          onClear={selection.clear}
          all={
            chooseAllUpTo !== undefined && (
              <AllOfFilter
                total={total}
                isCapped={meta?.totalCapped === true}
                most={chooseAllUpTo}
                isAll={isAll}
                // A table offers to choose all rows once its whole page is selected. Cards have no checkbox for the
                // page, so they offer this as soon as one row is selected.
                isOffered={total > rows.length && (!isWide || model.getIsAllPageRowsSelected())}
                onAll={selection.chooseAll}
              />
            )
          }
        >
          {chooseAllUpTo !== undefined && (
            <ExportButton list={list} columns={columns} selected={selection.picked} countInBar={selectedCount} />
          )}
          {acts}
        </SelectionBar>
      )}
      {meta !== undefined && (
        <Pager
          meta={meta}
          total={total + leftCount}
          page={view.page}
          limit={view.limit}
          selectedCount={selectedCount}
          onClear={rows.length > 0 && acts === null ? selection.clear : undefined}
          onPage={(page) => change({ page })}
          onLimit={(limit) => change({ limit })}
        />
      )}
    </>
  )
}
