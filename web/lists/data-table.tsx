import type { RowData } from '@tanstack/react-table'
import { type ReactNode, type Ref, Suspense, useLayoutEffect, useRef } from 'react'
import { failureText } from '#web/platform/http.ts'
import { classNames } from '#web/ui/class-names.ts'
import { type MenuGroup, Menu } from '#web/ui/menu.tsx'
import { ErrorState } from '#web/ui/states.tsx'
import { Arrivals, EmptyList, LastFailure } from './list-states.tsx'
import { CardRows } from './card-rows.tsx'
import { DetailsRoomContext } from './details-room.ts'
import { ListFoot, type ListFootActs } from './list-foot.tsx'
import { type TableColumn, useTableModel } from './table-model.ts'
import { type RowsProps, TableRows } from './table-rows.tsx'
import type { FilterSpecs } from './table-search.ts'
import { adminTableTexts as texts } from './table-texts.ts'
import { ListTools } from './table-tools.tsx'
import type { AdminList } from './use-admin-list.ts'
import { useDetailsBeside } from './use-details-beside.tsx'
import { type RowKeys, useListShortcuts } from './use-list-shortcuts.tsx'
import { usePageStep, useReturnToLastPage } from './use-page-step.ts'
import { LeaveSelectionContext, useSelection } from './use-selection.ts'
import { useTableRoom } from './use-table-room.ts'
import { Ellipsis } from '#web/ui/icons/ellipsis.tsx'

export type DataTableProps<Row extends RowData, Filters extends FilterSpecs> = ListFootActs<Row> & {
  readonly label: string
  readonly list: AdminList<Row, Filters>
  readonly columns: ReadonlyArray<TableColumn<Row>>
  readonly filters?: ReactNode
  readonly totals?: ReactNode
  readonly acts?: (row: Row) => ReactNode
  readonly menu?: (row: Row) => readonly MenuGroup[]
  readonly onOpen?: RowKeys<Row>['onOpen']
  readonly shortcuts?: RowKeys<Row>['shortcuts']
  readonly dialog?: ReactNode
}

export function DataTable<Row extends RowData, Filters extends FilterSpecs>({
  label,
  list,
  columns,
  filters,
  totals,
  acts,
  menu,
  onOpen,
  shortcuts = [],
  dialog,
  ...footActs
}: DataTableProps<Row, Filters>) {
  const { address, held, rowId, rowName, state } = list
  const { view } = address
  const rows = held.rows ?? noRows
  const selection = useSelection(JSON.stringify(view.filters), rows, rowId)
  const { selected, setIds: onSelect } = selection
  const model = useTableModel({ columns, rows, rowId, rowCount: state.meta?.total ?? 0, address, selected, onSelect })
  const { isWide, isRoomy, onOverflow, ref: roomRef } = useTableRoom(view.hidden.join())
  const sectionRef = useRef<HTMLDivElement>(null)
  const listRef = useRef<HTMLDivElement>(null)
  const { ref: besideRef, openId, room, follow, aside } = useDetailsBeside({ listRef, rows, rowId, onOpen })
  const keys = { sectionRef, listRef, rows, rowId, model, pages: usePageStep(list), openId, onOpen, shortcuts }
  const { openHelp, help } = useListShortcuts(keys)
  const isBeyond = useReturnToLastPage(list)
  const isLoading = held.rows === undefined && state.error === null
  const actions = (row: Row) => (
    <>
      {acts?.(row)}
      {menu && <RowMenuButton label={texts.moreActions(rowName(row))} groups={menu(row)} />}
    </>
  )
  const shown = { list, columns, model, isWide, isRoomy }
  return (
    <>
      <div ref={besideRef} className="flex min-h-0 flex-1 gap-3">
        <div ref={sectionRef} className="flex min-h-0 min-w-0 flex-1 flex-col gap-2.5">
          <div ref={roomRef}>
            <ListTools {...shown} filters={filters} selected={selection.picked} onHelp={openHelp} />
          </div>
          <LoadingStatus isLoading={isLoading} />
          <Rows
            {...shown}
            listRef={listRef}
            onFocus={follow}
            openId={openId}
            label={label}
            rowName={rowName}
            actions={actions}
            isFaded={footActs.isFaded}
            onOverflow={onOverflow}
            skeletons={isLoading || isBeyond ? view.limit : 0}
            isStale={state.isStale}
          />
          {/* If the list can't be loaded, an error replaces rows and totals. */}
          {(held.rows !== undefined || state.error === null) && totals}
          <ListFoot {...shown} {...footActs} selection={selection} />
        </div>
        {aside}
      </div>
      {help}
      <DetailsRoomContext value={room}>
        <LeaveSelectionContext value={selection.leave}>
          <Suspense fallback={null}>{dialog}</Suspense>
        </LeaveSelectionContext>
      </DetailsRoomContext>
    </>
  )
}

const LoadingStatus = ({ isLoading }: { readonly isLoading: boolean }) => (
  <p role="status" className="sr-only">
    {isLoading ? texts.loading : ''}
  </p>
)

const noRows: readonly never[] = []

type RowsOfListProps<Row extends RowData, Filters extends FilterSpecs> = ScrolledRowsProps<Row> & {
  readonly list: AdminList<Row, Filters>
  readonly isWide: boolean
  readonly listRef: Ref<HTMLDivElement>
  readonly onFocus: () => void
}

function Rows<Row extends RowData, Filters extends FilterSpecs>({
  list: { address, held, state, arrivedText, quietText },
  isWide,
  listRef,
  onFocus,
  ...rows
}: RowsOfListProps<Row, Filters>) {
  const { error, isRetrying, retry } = state
  return (
    <div
      ref={listRef}
      onFocus={onFocus}
      className={classNames(
        'flex min-h-0 flex-col',
        isWide
          ? 'overflow-hidden rounded-m border border-line bg-surface shadow-card'
          : 'md:overflow-y-auto md:overscroll-contain',
      )}
    >
      <Arrivals held={held} text={arrivedText} quietText={quietText} />
      {held.rows === undefined && error !== null ? (
        <ErrorState message={failureText(error, texts.loadFailed)} isRetrying={isRetrying} onRetry={retry} />
      ) : (
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
      )}
    </div>
  )
}

type ScrolledRowsProps<Row extends RowData> = RowsProps<Row> & { readonly onOverflow: () => void }

function ScrolledRows<Row extends RowData>({ onOverflow, ...props }: ScrolledRowsProps<Row>) {
  const ref = useRef<HTMLDivElement>(null)
  // Measure after each render, since new rows may make the table wider.
  useLayoutEffect(() => {
    if (ref.current !== null && ref.current.scrollWidth > ref.current.clientWidth + 1) onOverflow()
  })
  return (
    <div
      ref={ref}
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

function RowMenuButton({ label, groups }: { readonly label: string; readonly groups: readonly MenuGroup[] }) {
  if (groups.length === 0) return null
  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label={label}
          className="grid size-target shrink-0 place-items-center rounded-s border border-line-strong bg-surface text-ink transition-colors hover:bg-surface-press md:size-7"
        >
          <Ellipsis aria-hidden size={16} strokeWidth={1.8} />
        </button>
      }
      groups={groups}
    />
  )
}
