import type { RowData } from '@tanstack/react-table'
import { type ReactNode, type RefObject, Suspense, useState } from 'react'
import { toast } from '#web/ui/toast.tsx'
import { lazyComponent } from '#web/ui/lazy-component.ts'
import { focusedRowId, focusRow, moveToRow, type Shortcuts, useShortcuts } from './shortcuts.ts'
import type { TableModel } from './table-model.ts'
import { adminTableTexts as texts } from './table-texts.ts'
import type { PageStep } from './use-page-step.ts'

const ShortcutHelp = lazyComponent(() => import('./shortcut-help.tsx'), 'ShortcutHelp')

type RowShortcut<Row> = {
  readonly key: string
  readonly label: string
  readonly run: (row: Row) => void
}

export type RowKeys<Row> = {
  readonly onOpen: Omit<RowShortcut<Row>, 'key'> | undefined
  readonly shortcuts: ReadonlyArray<RowShortcut<Row>>
}

export type ListShortcutsOptions<Row extends RowData> = RowKeys<Row> & {
  /** The element of the list with its tools; `listRef` is the element of the list alone. */
  readonly sectionRef: RefObject<HTMLElement | null>
  readonly listRef: RefObject<HTMLElement | null>
  readonly rows: readonly Row[]
  readonly rowId: (row: Row) => string
  readonly model: TableModel<Row>
  readonly pages: PageStep<Row>
  /** The id of the row whose details are open. While no row has the focus, keys act on this row. */
  readonly openId: string | undefined
}

export function useListShortcuts<Row extends RowData>({
  sectionRef,
  listRef,
  rows,
  rowId,
  model,
  pages,
  openId,
  onOpen,
  shortcuts,
}: ListShortcutsOptions<Row>): { readonly openHelp: () => void; readonly help: ReactNode } {
  const [isHelpOpen, setIsHelpOpen] = useState(false)
  const openHelp = () => setIsHelpOpen(true)
  const idInHand = () => focusedRowId(listRef.current) ?? openId
  const onRow = (run: (row: Row) => void) => (event: KeyboardEvent) => {
    const id = idInHand()
    const row = rows.find((one) => rowId(one) === id)
    if (row === undefined) return
    event.preventDefault()
    run(row)
  }
  const move = (step: 1 | -1) => {
    if (moveToRow(listRef.current, idInHand(), step)) return
    const onwards = step === 1 ? pages.forward : pages.back
    if (onwards === undefined) toast.info(step === 1 ? texts.lastRow : texts.firstRow)
    else onwards((row) => focusRow(rowId(row)))
  }
  const keys: Shortcuts = {
    j: () => move(1),
    k: () => move(-1),
    x: onRow((row) => model.getRow(rowId(row)).toggleSelected()),
    '?': openHelp,
    '/': (event) => {
      event.preventDefault()
      // For lists of cards the search box is in a sheet, which the button with data-filters opens.
      sectionRef.current?.querySelector<HTMLElement>('[role="searchbox"],[data-filters]')?.focus()
    },
    // Acts only if the row itself has the focus: a button in the row handles Enter by itself.
    Enter: (event) => {
      if (event.target instanceof HTMLElement && event.target.dataset['rowId'] !== undefined && onOpen !== undefined)
        onRow(onOpen.run)(event)
    },
    ...Object.fromEntries(shortcuts.map(({ key, run }) => [key, onRow(run)])),
  }
  useShortcuts(keys)
  const keysOfRow = [
    ...(onOpen === undefined ? [] : [{ key: 'Enter', label: onOpen.label }]),
    { key: 'x', label: texts.keySelect },
    ...shortcuts,
  ]
  return {
    openHelp,
    help: isHelpOpen && (
      <Suspense fallback={null}>
        <ShortcutHelp onClose={() => setIsHelpOpen(false)} keys={keysOfRow} />
      </Suspense>
    ),
  }
}
