import type { RowData } from '@tanstack/react-table'
import { Bookmark, Columns3, Download, Keyboard } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useRef, useState, useSyncExternalStore } from 'react'
import { adminTableTexts as texts } from './table-texts.ts'
import { formatCount } from '#web/platform/formats.ts'
import { failureText } from '#web/platform/http.ts'
import { Button } from '#web/ui/button.tsx'
import { Menu } from '#web/ui/menu.tsx'
import { toast } from '#web/ui/toast.tsx'
import { downloadCsv, loadAll, type LoadPage } from './export-rows.ts'
import type { TableColumn, TableModel } from './table-model.ts'
import type { TableSearch } from './table-search.ts'
import { onSettingsChanged, savedViews } from './table-settings.ts'

const ViewsDialog = lazy(() => import('./views-dialog.tsx').then((module) => ({ default: module.ViewsDialog })))

/** A tool beside a list: an icon with its word from 1024 px on, the icon alone below. */
export function ToolLabel({ icon, label }: { readonly icon: ReactNode; readonly label: string }) {
  return (
    <>
      {icon}
      <span className="max-lg:sr-only">{label}</span>
    </>
  )
}

export const toolClass =
  'border-line-strong! px-2.5! font-medium! text-dense! text-ink-2! hover:text-ink! max-md:min-h-target max-md:min-w-target'

/** Which columns are shown. */
export function ColumnsMenu<Row extends RowData>({
  columns,
  model,
}: {
  readonly columns: ReadonlyArray<TableColumn<Row>>
  readonly model: TableModel<Row>
}) {
  const items = model
    .getAllLeafColumns()
    .filter((column) => column.getCanHide())
    .map((column) => ({
      id: column.id,
      label: columns.find(({ id }) => id === column.id)?.label,
      isChecked: column.getIsVisible(),
      onSelect: () => column.toggleVisibility(),
    }))
  return (
    <Menu
      trigger={
        <Button variant="outline" size="sm" className={toolClass}>
          <ToolLabel icon={<Columns3 aria-hidden size={16} strokeWidth={1.8} />} label={texts.columns} />
        </Button>
      }
      groups={[{ id: 'columns', label: texts.columnsTitle, items }]}
    />
  )
}

export type ViewsMenuProps = {
  readonly tableId: string
  readonly search: TableSearch
  readonly onUse: (search: TableSearch) => void
}

/** Views saved in this browser. */
export function ViewsMenu({ tableId, search, onUse }: ViewsMenuProps) {
  const views = useSyncExternalStore(onSettingsChanged, () => savedViews(tableId))
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Menu
        trigger={
          <Button variant="outline" size="sm" className={toolClass}>
            <ToolLabel icon={<Bookmark aria-hidden size={16} strokeWidth={1.8} />} label={texts.views} />
          </Button>
        }
        groups={[
          {
            id: 'views',
            label: texts.viewsTitle,
            items: views.map((view) => ({ id: view.name, label: view.name, onSelect: () => onUse(view.search) })),
          },
          { id: 'save', items: [{ id: 'save', label: texts.saveView, onSelect: () => setIsOpen(true) }] },
        ]}
      />
      {isOpen && (
        <Suspense fallback={null}>
          <ViewsDialog tableId={tableId} search={search} onUse={onUse} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

export type ExportButtonProps<Row extends RowData> = {
  readonly name: string
  readonly columns: ReadonlyArray<TableColumn<Row>>
  readonly rowId: (row: Row) => string
  readonly loadPage: LoadPage<Row>
  /** When there are any, they are what is exported. */
  readonly selected: readonly Row[]
}

/** Everything the filters let through, or what is selected, as CSV. A second press stops. */
export function ExportButton<Row extends RowData>({
  name,
  columns,
  rowId,
  loadPage,
  selected,
}: ExportButtonProps<Row>) {
  const [count, setCount] = useState<number>()
  const running = useRef<AbortController>(undefined)
  const run = async () => {
    if (selected.length > 0) {
      downloadCsv(name, columns, selected)
      toast.success(texts.exported(formatCount(selected.length)))
      return
    }
    const controller = new AbortController()
    running.current = controller
    setCount(0)
    try {
      const { rows, isAll } = await loadAll(loadPage, rowId, controller.signal, setCount)
      if (controller.signal.aborted) return
      downloadCsv(name, columns, rows)
      toast.success((isAll ? texts.exported : texts.exportedSome)(formatCount(rows.length)))
    } catch (error) {
      if (!controller.signal.aborted) toast.error(failureText(error, texts.exportFailed))
    } finally {
      setCount(undefined)
    }
  }
  const isRunning = count !== undefined
  const label = isRunning ? texts.exporting(formatCount(count)) : texts.exportCsv
  return (
    <Button
      variant="outline"
      size="sm"
      className={toolClass}
      title={isRunning ? texts.stopExport : undefined}
      onClick={() => (isRunning ? running.current?.abort() : void run())}
    >
      <ToolLabel icon={<Download aria-hidden size={16} strokeWidth={1.8} />} label={label} />
    </Button>
  )
}

export function HelpButton({ onPress }: { readonly onPress: () => void }) {
  return (
    <Button variant="outline" size="sm" className={toolClass} onClick={onPress}>
      <Keyboard aria-hidden size={16} strokeWidth={1.8} />
      <span className="sr-only">{texts.shortcuts}</span>
    </Button>
  )
}
