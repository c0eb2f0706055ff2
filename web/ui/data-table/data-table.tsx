import type { RowData } from '@tanstack/react-table'
import { type ReactNode, Suspense, useEffect, useRef } from 'react'
import { failureText } from '#web/platform/http.ts'
import { useIsWide } from '#web/ui/media-query.ts'
import { classNames } from '#web/ui/class-names.ts'
import type { MenuGroup } from '#web/ui/menu.tsx'
import { ErrorState } from '#web/ui/states.tsx'
import { Arrivals, EmptyList, LastFailure } from './list-states.tsx'
import { CardRows } from './card-rows.tsx'
import { loadUpTo } from './export-rows.ts'
import { Pager, pageCount } from './pager.tsx'
import { RowMenuButton } from './row-menu.tsx'
import { AllOfFilter, SelectionBar } from './selection-bar.tsx'
import { type TableColumn, useTableModel } from './table-model.ts'
import { type RowsProps, TableRows } from './table-rows.tsx'
import type { FilterSpecs } from './table-search.ts'
import { adminTableTexts as texts } from './table-texts.ts'
import { ExportButton, ListTools } from './table-tools.tsx'
import type { AdminList } from './use-admin-list.ts'
import { type RowKeys, useListShortcuts } from './use-list-shortcuts.tsx'
import { usePageStep } from './use-page-step.ts'
import { type AllRows, useSelection } from './use-selection.ts'

export type DataTableProps<Row extends RowData, Filters extends FilterSpecs> = {
  readonly label: string
  readonly list: AdminList<Row, Filters>
  readonly columns: ReadonlyArray<TableColumn<Row>>
  readonly filters?: ReactNode
  /** What the filters sum up to, beneath the rows. */
  readonly totals?: ReactNode
  /** The frequent acts on a row, at its end. */
  readonly acts?: (row: Row) => ReactNode
  /** The other acts on a row; the menu is absent when there are none. */
  readonly menu?: (row: Row) => readonly MenuGroup[]
  readonly isFaded?: (row: Row) => boolean
  /**
   * Acts on the selected rows; null where none of them can be acted on. `all` is given where all rows that match the
   * filters are chosen; `rows` are those on screen then.
   */
  readonly bulk?: (rows: readonly Row[], all: AllRows<Row> | null) => ReactNode
  /** With it all rows that match the filters can be chosen and exported: the most that an act takes. */
  readonly chooseAllUpTo?: number
  readonly onOpen?: RowKeys<Row>['onOpen']
  readonly shortcuts?: RowKeys<Row>['shortcuts']
  /** The dialog of the current act; its code may be loaded on first use. */
  readonly dialog?: ReactNode
}

/** The table for every list of the back office; cards below 768 px. */
export function DataTable<Row extends RowData, Filters extends FilterSpecs>({
  label,
  list,
  columns,
  filters,
  totals,
  acts,
  menu,
  isFaded,
  bulk,
  chooseAllUpTo,
  onOpen,
  shortcuts = [],
  dialog,
}: DataTableProps<Row, Filters>) {
  const { address, held, rowId, rowName, state } = list
  const { view, change } = address
  const rows = held.rows ?? noRows
  const selection = useSelection(JSON.stringify(view.filters), rows, rowId)
  const { selected, setIds: onSelect } = selection
  const model = useTableModel({ columns, rows, rowId, rowCount: state.meta?.total ?? 0, address, selected, onSelect })
  const pages = usePageStep(list)
  const isWide = useIsWide()
  const sectionRef = useRef<HTMLDivElement>(null)
  const listRef = useRef<HTMLDivElement>(null)
  const { openHelp, help } = useListShortcuts({ sectionRef, listRef, rows, rowId, model, pages, onOpen, shortcuts })

  const isBeyond = useReturnToLastPage(list)
  const isLoading = held.rows === undefined && state.error === null
  const skeletons = isLoading || isBeyond ? view.limit : 0
  const selectedRows = [...selected.values()]
  const total = state.meta?.total ?? 0
  const all: AllRows<Row> | null =
    selection.isAll && chooseAllUpTo !== undefined
      ? { count: total, load: (signal) => loadUpTo(chooseAllUpTo, list.loadPage, rowId, signal) }
      : null
  const bulkActs = selectedRows.length === 0 ? null : (bulk?.(selectedRows, all) ?? null)
  // They stand on screen and are no longer in the server's count.
  const leftCount = isFaded === undefined ? 0 : held.left.filter(isFaded).length
  const actions = (row: Row) => (
    <>
      {acts?.(row)}
      {menu && <RowMenuButton label={texts.moreActions(rowName(row))} groups={menu(row)} />}
    </>
  )

  return (
    <>
      <div ref={sectionRef} className="flex min-h-0 flex-1 flex-col gap-2.5">
        <ListTools
          list={list}
          columns={columns}
          model={model}
          isWide={isWide}
          filters={filters}
          selected={selection.isAll ? noRows : selectedRows}
          onHelp={openHelp}
        />
        <p role="status" className="sr-only">
          {isLoading ? texts.loading : ''}
        </p>
        <div
          ref={listRef}
          className={classNames(
            'flex min-h-0 flex-col',
            isWide && 'overflow-hidden rounded-m border border-line bg-surface shadow-card',
          )}
        >
          <Arrivals held={held} text={list.arrivedText} quietText={list.quietText} />
          <Rows
            list={list}
            isWide={isWide}
            rows={{ label, columns, model, rowName, actions, isFaded, skeletons, isStale: state.isStale }}
          />
        </div>
        {/* A list that can't be read says so once. */}
        {(held.rows !== undefined || state.error === null) && totals}
        {bulkActs !== null && (
          <SelectionBar
            onClear={selection.clear}
            all={
              chooseAllUpTo !== undefined && (
                <AllOfFilter
                  total={total}
                  isCapped={state.meta?.totalCapped === true}
                  most={chooseAllUpTo}
                  isAll={selection.isAll}
                  // Cards have no box for the whole page.
                  isOffered={total > selectedRows.length && (!isWide || model.getIsAllPageRowsSelected())}
                  onAll={selection.chooseAll}
                />
              )
            }
          >
            {chooseAllUpTo !== undefined && (
              <ExportButton
                list={list}
                columns={columns}
                selected={selection.isAll ? noRows : selectedRows}
                countInBar={selection.isAll ? total : selectedRows.length}
              />
            )}
            {bulkActs}
          </SelectionBar>
        )}
        {state.meta !== undefined && (
          <Pager
            meta={state.meta}
            total={state.meta.total + leftCount}
            page={view.page}
            limit={view.limit}
            selectedCount={selection.isAll ? total : selectedRows.length}
            onClear={selectedRows.length > 0 && bulkActs === null ? selection.clear : undefined}
            onPage={(page) => change({ page })}
            onLimit={(limit) => change({ limit })}
          />
        )}
      </div>
      {help}
      <Suspense fallback={null}>{dialog}</Suspense>
    </>
  )
}

const noRows: readonly never[] = []

/**
 * After the last row of the last page was deleted that page no longer exists: returns true until the view has moved to
 * the last existing page.
 */
function useReturnToLastPage<Row extends RowData, Filters extends FilterSpecs>({
  address: { view, change },
  held,
  state,
}: AdminList<Row, Filters>): boolean {
  const pages = state.meta === undefined ? undefined : pageCount(state.meta, view.limit)
  const isBeyond = !state.isStale && held.rows?.length === 0 && pages !== undefined && view.page > pages
  useEffect(() => {
    if (isBeyond) change({ page: pages }, { isTyping: true })
  }, [isBeyond, pages, change])
  return isBeyond
}

type RowsOfListProps<Row extends RowData, Filters extends FilterSpecs> = {
  readonly list: AdminList<Row, Filters>
  readonly isWide: boolean
  readonly rows: RowsProps<Row>
}

/** The rows, or a message in their place. */
function Rows<Row extends RowData, Filters extends FilterSpecs>({
  list: { address, held, state },
  isWide,
  rows,
}: RowsOfListProps<Row, Filters>) {
  const { error, isRetrying, retry } = state
  if (held.rows === undefined && error !== null)
    return <ErrorState message={failureText(error, texts.loadFailed)} isRetrying={isRetrying} onRetry={retry} />
  return (
    <>
      <LastFailure state={state} />
      {held.rows?.length === 0 && rows.skeletons === 0 ? (
        <EmptyList address={address} />
      ) : isWide ? (
        <ScrolledRows {...rows} />
      ) : (
        <CardRows {...rows} />
      )}
    </>
  )
}

function ScrolledRows<Row extends RowData>(props: RowsProps<Row>) {
  return (
    <div
      role="region"
      aria-label={props.label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard.
      tabIndex={0}
      className="min-h-0 overflow-auto focus-visible:-outline-offset-2"
    >
      <TableRows {...props} />
    </div>
  )
}
