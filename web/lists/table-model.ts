import {
  columnVisibilityFeature,
  createColumnHelper,
  type RowData,
  rowPaginationFeature,
  rowSelectionFeature,
  type RowSelectionState,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
  type Updater,
  useTable,
} from '@tanstack/react-table'
import { type ReactNode, useMemo } from 'react'
import type { CsvValue } from '#domain/csv.ts'
import type { FilterSpecs } from './table-search.ts'
import type { TableAddress } from './use-table-search.ts'

export type TableColumn<Row extends RowData> = {
  readonly id: string
  readonly label: string
  readonly cell: (row: Row) => ReactNode
  readonly align?: 'end'
  /** The column takes the remaining width: with `cut`, its text is cut at the end; with `wrap`, its badges wrap. */
  readonly takesRest?: 'cut' | 'wrap'
  /** Leaves the column out in windows below 1024 px, and if the table would overflow. */
  readonly needsRoom?: boolean
  /** The server's name for sorting by this column. */
  readonly sort?: string
  readonly canHide?: boolean
  /**
   * The place of the column on a card. By default, label and value are shown when the card is unfolded. One `aside`
   * column is beside the title: the first that has `align`, or the first of all if none has. The other `aside` columns
   * and the `line` columns are below the title. A `none` column is not on the card.
   */
  readonly card?: 'title' | 'aside' | 'line' | 'none'
  readonly csv?: (row: Row) => CsvValue
}

/** The server pages, sorts and filters the rows. TanStack Table tracks page, order, shown columns and selection. */
const features = tableFeatures({
  columnVisibilityFeature,
  rowPaginationFeature,
  rowSelectionFeature,
  rowSortingFeature,
})

export type TableModelOptions<Row extends RowData, Filters extends FilterSpecs> = {
  readonly columns: ReadonlyArray<TableColumn<Row>>
  readonly rows: readonly Row[]
  readonly rowId: (row: Row) => string
  readonly rowCount: number
  readonly address: Pick<TableAddress<Filters>, 'view' | 'change'>
  readonly selected: ReadonlyMap<string, Row>
  readonly onSelect: (ids: readonly string[]) => void
}

const next = <Value>(updater: Updater<Value>, old: Value): Value =>
  typeof updater === 'function' ? (updater as (old: Value) => Value)(old) : updater

export function useTableModel<Row extends RowData, Filters extends FilterSpecs>({
  columns,
  rows,
  rowId,
  rowCount,
  address: { view, change },
  selected,
  onSelect,
}: TableModelOptions<Row, Filters>) {
  const columnDefs = useMemo(() => {
    const helper = createColumnHelper<typeof features, Row>()
    return columns.map((column) =>
      helper.accessor((row): unknown => row, {
        id: column.id,
        enableSorting: column.sort !== undefined,
        enableHiding: column.canHide ?? true,
        // The first press on a column head sorts descending, for example the newest time first.
        sortDescFirst: true,
      }),
    )
  }, [columns])
  const sorting = useMemo((): SortingState => {
    const sorted = columns.find(({ sort }) => sort !== undefined && sort === view.sort.replace(/^-/, ''))
    return sorted === undefined ? [] : [{ id: sorted.id, desc: view.sort.startsWith('-') }]
  }, [columns, view.sort])
  const rowSelection = useMemo(
    (): RowSelectionState => Object.fromEntries([...selected.keys()].map((id) => [id, true as const])),
    [selected],
  )
  const columnVisibility = useMemo(() => Object.fromEntries(view.hidden.map((id) => [id, false])), [view.hidden])
  const pagination = useMemo(() => ({ pageIndex: view.page - 1, pageSize: view.limit }), [view.page, view.limit])

  return useTable({
    features,
    columns: columnDefs,
    data: rows,
    getRowId: rowId,
    rowCount,
    manualPagination: true,
    manualSorting: true,
    enableMultiSort: false,
    enableSortingRemoval: false,
    state: { sorting, rowSelection, columnVisibility, pagination },
    onSortingChange: (updater) => {
      const [first] = next(updater, sorting)
      const sort = columns.find(({ id }) => id === first?.id)?.sort
      if (first !== undefined && sort !== undefined) change({ sort: `${first.desc ? '-' : ''}${sort}` })
    },
    onRowSelectionChange: (updater) => onSelect(Object.keys(next(updater, rowSelection))),
    onColumnVisibilityChange: (updater) => {
      const visibility = next(updater, columnVisibility)
      change({ hidden: columns.map(({ id }) => id).filter((id) => visibility[id] === false) })
    },
    onPaginationChange: (updater) => {
      const { pageIndex, pageSize } = next(updater, pagination)
      change(pageSize === view.limit ? { page: pageIndex + 1 } : { limit: pageSize })
    },
  })
}

export type TableModel<Row extends RowData> = ReturnType<typeof useTableModel<Row, FilterSpecs>>
