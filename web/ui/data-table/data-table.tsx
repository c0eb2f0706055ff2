import type { RowData } from '@tanstack/react-table'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import type { Meta } from '#contract/envelope.ts'
import { adminTableTexts as texts } from './table-texts.ts'
import { formatCount } from '#web/platform/formats.ts'
import { failureText } from '#web/platform/http.ts'
import { useIsWide } from '#web/platform/media-query.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { EmptyState, ErrorState } from '#web/ui/states.tsx'
import { CardRows } from './card-rows.tsx'
import { Picker } from './controls.tsx'
import type { LoadPage } from './export-rows.ts'
import { Pager, pageCount } from './pager.tsx'
import { focusedRowId, moveToRow, type Shortcuts, useShortcuts } from './shortcuts.ts'
import { type TableColumn, useTableModel } from './table-model.ts'
import { TableRows } from './table-rows.tsx'
import { type FilterSpecs, isFiltered } from './table-search.ts'
import { ColumnsMenu, ExportButton, HelpButton, ViewsMenu } from './table-tools.tsx'
import type { Held } from './use-held-rows.ts'
import { useSelection } from './use-selection.ts'
import type { TableAddress } from './use-table-search.ts'

const ShortcutHelp = lazy(() => import('./shortcut-help.tsx').then((module) => ({ default: module.ShortcutHelp })))

/** What a list got from the server, as TanStack Query tells it. */
export type ListState = {
  readonly meta: Meta | undefined
  readonly error: unknown
  /** The rows on screen belong to the view before. */
  readonly isStale: boolean
  readonly retry: () => void
  readonly isRetrying: boolean
}

export type RowShortcut<Row> = {
  readonly key: string
  readonly label: string
  readonly run: (row: Row) => void
}

export type DataTableProps<Row extends RowData, Filters extends FilterSpecs> = {
  /** Names the list in saved views and files. */
  readonly tableId: string
  readonly label: string
  readonly columns: ReadonlyArray<TableColumn<Row>>
  readonly rowId: (row: Row) => string
  readonly rowName: (row: Row) => string
  readonly address: TableAddress<Filters>
  readonly held: Held<Row>
  readonly list: ListState
  /** What the bar above the rows says while new ones wait. */
  readonly arrivedText: (count: string) => string
  readonly loadPage: LoadPage<Row>
  /** Search and filters. */
  readonly filters?: ReactNode
  readonly actions?: (row: Row) => ReactNode
  readonly isFaded?: (row: Row) => boolean
  readonly isSelectable?: boolean
  /** Acts on the selected rows. */
  readonly bulk?: (rows: readonly Row[], clear: () => void) => ReactNode
  /** Enter on a row. */
  readonly onOpen?: { readonly label: string; readonly run: (row: Row) => void }
  readonly shortcuts?: ReadonlyArray<RowShortcut<Row>>
}

/** The table that every list of the back office is; cards below 768 px. */
export function DataTable<Row extends RowData, Filters extends FilterSpecs>({
  tableId,
  label,
  columns,
  rowId,
  rowName,
  address,
  held,
  list,
  arrivedText,
  loadPage,
  filters,
  actions,
  isFaded,
  isSelectable = true,
  bulk,
  onOpen,
  shortcuts = [],
}: DataTableProps<Row, Filters>) {
  const { view, spec, change } = address
  const rows = held.rows ?? noRows
  const selection = useSelection(JSON.stringify(view.filters), rows, rowId)
  const model = useTableModel({
    columns,
    rows,
    rowId,
    rowCount: list.meta?.total ?? 0,
    address,
    selected: selection.selected,
    onSelect: selection.setIds,
  })
  const isWide = useIsWide()
  const sectionRef = useRef<HTMLDivElement>(null)
  const listRef = useRef<HTMLDivElement>(null)
  const [isHelpOpen, setIsHelpOpen] = useState(false)

  const focusedRow = () => {
    const id = focusedRowId(listRef.current)
    return id === undefined ? undefined : rows.find((row) => rowId(row) === id)
  }
  const onRow = (run: (row: Row) => void) => (event: KeyboardEvent) => {
    const row = focusedRow()
    if (row === undefined) return
    event.preventDefault()
    run(row)
  }
  const letters: Record<string, (event: KeyboardEvent) => void> = {
    j: () => moveToRow(listRef.current, 1),
    k: () => moveToRow(listRef.current, -1),
    '?': () => setIsHelpOpen(true),
    '/': (event) => {
      event.preventDefault()
      sectionRef.current?.querySelector<HTMLElement>('[role="searchbox"]')?.focus()
    },
  }
  if (isSelectable) letters['x'] = onRow((row) => model.getRow(rowId(row)).toggleSelected())
  for (const { key, run } of shortcuts) letters[key] = onRow(run)
  if (onOpen !== undefined)
    letters['Enter'] = (event) => {
      // A button inside the row has its own Enter.
      if (event.target instanceof HTMLElement && event.target.dataset['rowId'] !== undefined) onRow(onOpen.run)(event)
    }
  useShortcuts(letters satisfies Shortcuts)

  // Deleting the last row of the last page leaves a page that is not there.
  const pages = list.meta === undefined ? undefined : pageCount(list.meta, view.limit)
  const isBeyond = !list.isStale && held.rows?.length === 0 && pages !== undefined && view.page > pages
  useEffect(() => {
    if (isBeyond) change({ page: pages }, { isTyping: true })
  }, [isBeyond, pages, change])

  const isLoading = held.rows === undefined && list.error === null
  const isEmpty = held.rows?.length === 0 && !isBeyond
  const hasFailed = list.error !== null && held.rows === undefined
  const props = {
    label,
    columns,
    model,
    rowName,
    actions,
    isFaded,
    isSelectable,
    skeletons: isLoading || isBeyond ? view.limit : 0,
    isStale: list.isStale,
  }
  const selectedRows = [...selection.selected.values()]
  const hasNews = held.arrived > 0 || held.isMoved

  return (
    <div ref={sectionRef} className="flex min-h-0 flex-1 flex-col gap-2.5">
      <div className="flex flex-wrap items-center gap-2">
        {filters}
        {!isWide && <SortPicker columns={columns} sort={view.sort} onSort={(sort) => change({ sort })} />}
        <div className="ml-auto flex items-center gap-1.5">
          {isWide && (
            <>
              <ColumnsMenu columns={columns} model={model} />
              <ViewsMenu tableId={tableId} search={address.search} onUse={address.goTo} />
            </>
          )}
          <ExportButton name={tableId} columns={columns} rowId={rowId} loadPage={loadPage} selected={selectedRows} />
          {isWide && <HelpButton onPress={() => setIsHelpOpen(true)} />}
        </div>
      </div>

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
        <div role="status">
          {hasNews && (
            <button
              type="button"
              onClick={held.show}
              className="w-full bg-info-soft px-3 py-2 text-center text-dense font-medium text-info hover:underline max-md:mb-2 max-md:min-h-target max-md:rounded-s"
            >
              {held.arrived > 0 ? arrivedText(formatCount(held.arrived)) : texts.changed}
            </button>
          )}
        </div>
        {list.error !== null && !hasFailed && (
          <div
            role="alert"
            className="flex items-center justify-center gap-3 bg-down-soft px-3 py-1.5 text-dense text-down"
          >
            {failureText(list.error, texts.loadFailed)}
            <Button variant="outline" size="xs" isBusy={list.isRetrying} onClick={list.retry}>
              {commonTexts.retry}
            </Button>
          </div>
        )}
        {hasFailed ? (
          <ErrorState
            message={failureText(list.error, texts.loadFailed)}
            isRetrying={list.isRetrying}
            onRetry={list.retry}
          />
        ) : isEmpty ? (
          <EmptyState
            text={texts.noResults}
            action={
              isFiltered(view, spec) ? (
                <Button variant="outline" size="sm" onClick={() => address.goTo({})}>
                  {texts.clearFilters}
                </Button>
              ) : undefined
            }
          />
        ) : isWide ? (
          <div
            role="region"
            aria-label={label}
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must scroll by keyboard too.
            tabIndex={0}
            className="min-h-0 overflow-auto focus-visible:-outline-offset-2"
          >
            <TableRows {...props} />
          </div>
        ) : (
          <CardRows {...props} />
        )}
      </div>

      {selectedRows.length > 0 && (
        <div className="sticky bottom-2 z-20 flex flex-wrap items-center justify-end gap-2 rounded-m border border-line bg-surface p-2 shadow-overlay md:static md:shadow-card">
          <Button variant="ghost" size="sm" className="mr-auto max-md:min-h-target" onClick={selection.clear}>
            {texts.clearSelection}
          </Button>
          {bulk?.(selectedRows, selection.clear)}
        </div>
      )}
      {list.meta !== undefined && (
        <Pager
          meta={list.meta}
          page={view.page}
          limit={view.limit}
          selectedCount={selectedRows.length}
          onPage={(page) => change({ page })}
          onLimit={(limit) => change({ limit })}
        />
      )}
      {isHelpOpen && (
        <Suspense fallback={null}>
          <ShortcutHelp
            onClose={() => setIsHelpOpen(false)}
            keys={[
              ...(onOpen === undefined ? [] : [{ key: 'Enter', label: onOpen.label }]),
              ...(isSelectable ? [{ key: 'x', label: texts.keySelect }] : []),
              ...shortcuts,
            ]}
          />
        </Suspense>
      )}
    </div>
  )
}

const noRows: readonly never[] = []

type SortPickerProps<Row extends RowData> = {
  readonly columns: ReadonlyArray<TableColumn<Row>>
  readonly sort: string
  readonly onSort: (sort: string) => void
}

/** Cards have no heads to press. */
function SortPicker<Row extends RowData>({ columns, sort, onSort }: SortPickerProps<Row>) {
  const choices = columns.flatMap(({ label, sort: name }) =>
    name === undefined
      ? []
      : [
          { value: `-${name}`, label: texts.descending(label) },
          { value: name, label: texts.ascending(label) },
        ],
  )
  if (choices.length < 2) return null
  return <Picker label={texts.sortBy} value={sort} onChange={onSort} choices={choices} className="min-w-32 flex-1" />
}
