import { useIsWide } from '#web/ui/media-query.ts'
import { useQuery } from '@tanstack/react-query'
import type { RowData } from '@tanstack/react-table'
import { type ReactNode, Suspense, useContext, useEffect, useRef, useState } from 'react'
import { formatCount } from '#web/platform/formats.ts'
import { failureText } from '#web/platform/http.ts'
import { Button, type ButtonProps } from '#web/ui/button.tsx'
import type { IconComponent } from '#web/ui/icon.tsx'
import { Bookmark } from '#web/ui/icons/bookmark.tsx'
import { Columns3 } from '#web/ui/icons/columns-3.tsx'
import { Download } from '#web/ui/icons/download.tsx'
import { Keyboard } from '#web/ui/icons/keyboard.tsx'
import { SlidersHorizontal } from '#web/ui/icons/sliders-horizontal.tsx'
import { Menu } from '#web/ui/menu.tsx'
import { toast } from '#web/ui/toast.tsx'
import { lazyComponent } from '#web/ui/lazy-component.ts'
import { Picker } from './controls.tsx'
import { downloadCsv, loadAll } from './export-rows.ts'
import { AreFiltersUnfolded } from './list-filters.tsx'
import { type SavedView, ViewStoreContext } from './saved-views.ts'
import { countText } from './pager.tsx'
import { BulkButton } from './selection-bar.tsx'
import type { TableColumn, TableModel } from './table-model.ts'
import type { FilterSpecs } from './table-search.ts'
import { adminTableTexts as texts } from './table-texts.ts'
import type { AdminList } from './use-admin-list.ts'
import type { ViewsDialogProps } from './views-dialog.tsx'

const ViewsDialog = lazyComponent(() => import('./views-dialog.tsx'), 'ViewsDialog')

const FilterSheet = lazyComponent(() => import('./filter-sheet.tsx'), 'FilterSheet')

export type ListToolsProps<Row extends RowData, Filters extends FilterSpecs> = {
  readonly list: AdminList<Row, Filters>
  readonly columns: ReadonlyArray<TableColumn<Row>>
  readonly model: TableModel<Row>
  readonly isWide: boolean
  readonly isRoomy: boolean
  readonly filters: ReactNode
  readonly selected: readonly Row[]
  readonly onHelp: () => void
}

export function ListTools<Row extends RowData, Filters extends FilterSpecs>({
  list,
  columns,
  model,
  isWide,
  isRoomy,
  filters,
  selected,
  onHelp,
}: ListToolsProps<Row, Filters>) {
  const { id, address } = list
  const store = useContext(ViewStoreContext)
  const isDesk = useIsWide()
  return (
    <div className="flex flex-wrap items-center gap-2">
      {isWide ? filters : <FilterButton list={list} columns={columns} filters={filters} />}
      <div className="ml-auto flex items-center gap-1.5">
        {isWide && <ColumnsMenu columns={columns} model={model} isRoomy={isRoomy} />}
        {isDesk && store !== null && (
          <ViewsMenu store={store} tableId={id} search={address.search} onUse={address.goTo} />
        )}
        <ExportButton list={list} columns={columns} selected={selected} />
        {isDesk && (
          <Button variant="outline" size="sm" className={toolClass} onClick={onHelp}>
            <Keyboard aria-hidden size={16} strokeWidth={1.8} />
            <span className="sr-only">{texts.shortcuts}</span>
          </Button>
        )}
      </div>
    </div>
  )
}

function FilterButton<Row extends RowData, Filters extends FilterSpecs>({
  list,
  columns,
  filters,
}: Pick<ListToolsProps<Row, Filters>, 'list' | 'columns' | 'filters'>) {
  const [isOpen, setIsOpen] = useState(false)
  const { setCount, onClear } = list.fold(Object.keys(list.address.spec.filters))
  const { meta, isStale } = list.state
  return (
    <>
      <Button variant="outline" size="sm" className={toolClass} data-filters onClick={() => setIsOpen(true)}>
        <SlidersHorizontal aria-hidden size={16} strokeWidth={1.8} />
        {setCount === 0 ? texts.filter : texts.filterSet(formatCount(setCount))}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <FilterSheet
            // While the rows of new filters load, no count is shown: the known count is that of the previous filters.
            total={meta === undefined || isStale ? undefined : countText(meta.total, meta.totalCapped)}
            clear={
              setCount > 0 && (
                <Button variant="ghost" onClick={onClear}>
                  {texts.clearFilters}
                </Button>
              )
            }
            onClose={() => setIsOpen(false)}
          >
            <AreFiltersUnfolded value>{filters}</AreFiltersUnfolded>
            <SortPicker list={list} columns={columns} />
          </FilterSheet>
        </Suspense>
      )}
    </>
  )
}

/** Chooses the order in lists of cards, which have no column heads. */
function SortPicker<Row extends RowData, Filters extends FilterSpecs>({
  list: { address },
  columns,
}: Pick<ListToolsProps<Row, Filters>, 'list' | 'columns'>) {
  const choices = columns.flatMap(({ label, sort: name }) =>
    name === undefined
      ? []
      : [
          { value: `-${name}`, label: texts.descending(label) },
          { value: name, label: texts.ascending(label) },
        ],
  )
  if (choices.length < 2) return null
  return (
    <Picker
      label={texts.sortBy}
      value={address.view.sort}
      onChange={(sort) => address.change({ sort })}
      choices={choices}
      className="min-w-32 flex-1"
    />
  )
}

type ToolProps = Omit<ButtonProps, 'children'> & { readonly icon: IconComponent; readonly label: string }

/** Below 96 rem only the icon is visible, to leave room for the filters. */
const Tool = ({ icon: Icon, label, ...button }: ToolProps) => (
  <Button variant="outline" size="sm" className={toolClass} title={label} {...button}>
    <Icon aria-hidden size={16} strokeWidth={1.8} />
    <span className="max-[95.99rem]:sr-only">{label}</span>
  </Button>
)

const toolClass =
  'border-line-strong! px-2.5! font-medium! text-dense! text-ink-2! hover:text-ink! max-md:min-h-target max-md:min-w-target'

function ColumnsMenu<Row extends RowData>({
  columns,
  model,
  isRoomy,
}: Pick<ListToolsProps<Row, FilterSpecs>, 'columns' | 'model' | 'isRoomy'>) {
  const items = model
    .getAllLeafColumns()
    .filter((column) => column.getCanHide())
    .flatMap((column) => {
      const { label, needsRoom } = columns.find(({ id }) => id === column.id) ?? {}
      if (needsRoom === true && !isRoomy) return []
      return {
        id: column.id,
        label,
        isChecked: column.getIsVisible(),
        onSelect: () => column.toggleVisibility(),
      }
    })
  return (
    <Menu
      trigger={<Tool icon={Columns3} label={texts.columns} />}
      groups={[{ id: 'columns', label: texts.columnsTitle, items }]}
    />
  )
}

/** Saved views are stale after this time. Opening the menu refetches them in any case. */
const viewsStaleMs = 60_000

function ViewsMenu({ store, tableId, search, onUse }: Omit<ViewsDialogProps, 'query' | 'onClose'>) {
  const query = useQuery({ ...store.viewsQuery(tableId), staleTime: viewsStaleMs })
  const [isOpen, setIsOpen] = useState(false)
  const views = query.data ?? []
  const toItem = ({ id, name, maker, search: saved }: SavedView) => ({
    id,
    label: name,
    hint: maker === null ? undefined : texts.viewOf(maker),
    onSelect: () => onUse(saved),
  })
  return (
    <>
      <Menu
        onOpen={() => void query.refetch()}
        trigger={<Tool icon={Bookmark} label={texts.views} />}
        groups={[
          { id: 'own', label: texts.ownViews, items: views.filter(({ maker }) => maker === null).map(toItem) },
          { id: 'team', label: texts.teamViews, items: views.filter(({ maker }) => maker !== null).map(toItem) },
          { id: 'save', items: [{ id: 'save', label: texts.saveView, onSelect: () => setIsOpen(true) }] },
        ]}
      />
      {isOpen && (
        <Suspense fallback={null}>
          <ViewsDialog
            store={store}
            query={query}
            tableId={tableId}
            search={search}
            onUse={onUse}
            onClose={() => setIsOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}

type ExportButtonProps<Row extends RowData, Filters extends FilterSpecs> = Pick<
  ListToolsProps<Row, Filters>,
  'list' | 'columns' | 'selected'
> & {
  readonly countInBar?: number
}

/**
 * Exports the selected rows, or the whole list if no row is selected. A second press or a change of filters stops an
 * export of the list.
 */
export function ExportButton<Row extends RowData, Filters extends FilterSpecs>(props: ExportButtonProps<Row, Filters>) {
  return <Export key={JSON.stringify(props.list.filters)} {...props} />
}

function Export<Row extends RowData, Filters extends FilterSpecs>({
  list: { id, rowId, source },
  columns,
  selected,
  countInBar,
}: ExportButtonProps<Row, Filters>) {
  const [count, setCount] = useState<number>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const run = async () => {
    if (selected.length > 0) {
      downloadCsv(id, columns, selected)
      toast.success(texts.exported(formatCount(selected.length)))
      return
    }
    const controller = new AbortController()
    running.current = controller
    setCount(0)
    try {
      const { rows, isAll, missing } = await loadAll(source, rowId, controller.signal, setCount)
      if (controller.signal.aborted) return
      downloadCsv(id, columns, rows, isAll && missing === 0)
      const done = formatCount(rows.length)
      if (missing > 0) toast.error(texts.exportedWithout(done, formatCount(missing)))
      else toast.success((isAll ? texts.exported : texts.exportedSome)(done))
    } catch (error) {
      if (!controller.signal.aborted) toast.error(failureText(error, texts.exportFailed))
    } finally {
      setCount(undefined)
    }
  }
  const isRunning = count !== undefined
  const label = isRunning ? texts.exporting(formatCount(count)) : texts.exportCsv
  const onClick = () => (isRunning ? running.current?.abort() : void run())
  if (countInBar !== undefined)
    return (
      <BulkButton variant="outline" onClick={onClick}>
        {isRunning ? label : texts.exportChosen(formatCount(countInBar))}
      </BulkButton>
    )
  return <Tool icon={Download} label={label} title={isRunning ? texts.stopExport : texts.exportCsv} onClick={onClick} />
}
