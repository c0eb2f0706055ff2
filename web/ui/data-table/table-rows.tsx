import type { RowData } from '@tanstack/react-table'
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { adminTableTexts as texts } from './table-texts.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import type { TableColumn, TableModel } from './table-model.ts'

export type RowsProps<Row extends RowData> = {
  readonly label: string
  readonly columns: ReadonlyArray<TableColumn<Row>>
  readonly model: TableModel<Row>
  /** Names a row where it is only spoken of. */
  readonly rowName: (row: Row) => string
  readonly actions?: ((row: Row) => ReactNode) | undefined
  /** A row that is no longer what the list is about. */
  readonly isFaded?: ((row: Row) => boolean) | undefined
  readonly isSelectable: boolean
  /** Rows to come. */
  readonly skeletons: number
  readonly isStale: boolean
}

const cellClass = 'h-9 border-b border-line bg-inherit px-2 py-[3px] whitespace-nowrap'
const headClass =
  'sticky top-0 z-10 h-9 border-b border-line bg-surface-2 px-2 text-left font-medium whitespace-nowrap text-ink-3'
/** Stays in sight while the rest scrolls sideways. */
const firstClass = 'sticky left-0 z-20'
const secondClass = 'sticky left-9 z-20'
const lastClass = 'sticky right-0 z-20'

/** Rows as a table, from 768 px on: the head, the first column and the acts stay in sight. */
export function TableRows<Row extends RowData>({
  label,
  columns,
  model,
  rowName,
  actions,
  isFaded,
  isSelectable,
  skeletons,
  isStale,
}: RowsProps<Row>) {
  const of = (id: string) => columns.find((column) => column.id === id)
  const visible = model.getVisibleLeafColumns()
  const identityClass = isSelectable ? secondClass : firstClass
  return (
    <table
      aria-label={label}
      aria-busy={isStale}
      className="w-full border-separate border-spacing-0 text-dense tabular-nums"
    >
      <thead>
        {model.getHeaderGroups().map((group) => (
          <tr key={group.id}>
            {isSelectable && (
              <th scope="col" className={classNames(headClass, firstClass, 'w-9 px-0!')}>
                <Checkbox
                  label={texts.selectPage}
                  isChecked={model.getIsAllPageRowsSelected()}
                  isMixed={model.getIsSomePageRowsSelected()}
                  isDisabled={model.getRowModel().rows.length === 0}
                  onChange={model.getToggleAllPageRowsSelectedHandler()}
                  className="h-9 w-9"
                />
              </th>
            )}
            {group.headers.map((header, at) => {
              const column = of(header.column.id)
              const sorted = header.column.getIsSorted()
              const Arrow = sorted === 'asc' ? ArrowUp : sorted === 'desc' ? ArrowDown : ChevronsUpDown
              return (
                <th
                  key={header.id}
                  scope="col"
                  aria-sort={sorted === false ? undefined : sorted === 'asc' ? 'ascending' : 'descending'}
                  className={classNames(headClass, at === 0 && identityClass, column?.align === 'end' && 'text-right')}
                >
                  {header.column.getCanSort() ? (
                    <button
                      type="button"
                      onClick={header.column.getToggleSortingHandler()}
                      className={classNames(
                        'inline-flex min-h-7 items-center gap-1 rounded-s font-medium hover:text-ink',
                        sorted !== false && 'text-ink',
                        column?.align === 'end' && 'flex-row-reverse',
                      )}
                    >
                      {column?.label}
                      <Arrow aria-hidden size={14} strokeWidth={1.8} className={sorted === false ? 'opacity-60' : ''} />
                    </button>
                  ) : (
                    column?.label
                  )}
                </th>
              )
            })}
            {actions !== undefined && (
              <th scope="col" className={classNames(headClass, lastClass)}>
                <span className="sr-only">{texts.actions}</span>
              </th>
            )}
          </tr>
        ))}
      </thead>
      <tbody className={classNames('transition-opacity', isStale && 'opacity-60')}>
        {model.getRowModel().rows.map((row) => (
          <tr
            key={row.id}
            data-row-id={row.id}
            tabIndex={-1}
            aria-selected={isSelectable ? row.getIsSelected() : undefined}
            className={classNames(
              'group/row transition-colors focus:outline-2 focus:-outline-offset-2 focus:outline-gold',
              row.getIsSelected() ? 'bg-gold-soft' : 'bg-surface hover:bg-surface-2',
              isFaded?.(row.original) === true && 'text-ink-2',
            )}
          >
            {isSelectable && (
              <td className={classNames(cellClass, firstClass, 'w-9 p-0!')}>
                <Checkbox
                  label={texts.selectRow(rowName(row.original))}
                  isChecked={row.getIsSelected()}
                  onChange={row.getToggleSelectedHandler()}
                  className="h-9 w-9"
                />
              </td>
            )}
            {row.getVisibleCells().map((cell, at) => (
              <td
                key={cell.id}
                className={classNames(
                  cellClass,
                  at === 0 && identityClass,
                  of(cell.column.id)?.align === 'end' && 'text-right',
                  of(cell.column.id)?.takesRest === true && 'w-full max-w-0',
                )}
              >
                {of(cell.column.id)?.cell(row.original)}
              </td>
            ))}
            {actions !== undefined && (
              <td className={classNames(cellClass, lastClass)}>
                <div className="flex items-center justify-end gap-1.5">{actions(row.original)}</div>
              </td>
            )}
          </tr>
        ))}
        {Array.from({ length: skeletons }, (_, at) => (
          <tr key={`skeleton-${at}`} aria-hidden className="bg-surface">
            {isSelectable && (
              <td className={cellClass}>
                <Skeleton className="size-4" />
              </td>
            )}
            {visible.map((column) => (
              <td key={column.id} className={cellClass}>
                <Skeleton className={classNames('h-3.5 w-3/4', of(column.id)?.align === 'end' && 'ml-auto')} />
              </td>
            ))}
            {actions !== undefined && (
              <td className={cellClass}>
                <Skeleton className="ml-auto h-6 w-16" />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
