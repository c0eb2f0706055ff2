import type { RowData } from '@tanstack/react-table'
import type { ReactNode } from 'react'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { ArrowDown } from '#web/ui/icons/arrow-down.tsx'
import { ArrowUp } from '#web/ui/icons/arrow-up.tsx'
import { ChevronsUpDown } from '#web/ui/icons/chevrons-up-down.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import type { TableColumn, TableModel } from './table-model.ts'
import { adminTableTexts as texts } from './table-texts.ts'

export type RowsProps<Row extends RowData> = {
  readonly label: string
  readonly columns: ReadonlyArray<TableColumn<Row>>
  readonly model: TableModel<Row>
  readonly isRoomy: boolean
  readonly rowName: (row: Row) => string
  readonly actions: (row: Row) => ReactNode
  readonly isFaded: ((row: Row) => boolean) | undefined
  readonly openId: string | undefined
  readonly skeletons: number
  readonly isStale: boolean
}

/** The cells draw the focus ring of their row: sticky cells would cover a ring of the row itself. */
const cellClass =
  'h-9 border-b border-line bg-inherit px-1.5 py-[3px] whitespace-nowrap group-focus/row:shadow-[inset_0_2px_0_var(--color-gold),inset_0_-2px_0_var(--color-gold)] min-[1400px]:px-2'
const headClass =
  'sticky top-0 z-10 h-9 border-b border-line bg-surface-2 px-1.5 text-left font-medium whitespace-nowrap text-ink-3 min-[1400px]:px-2'
const firstClass = 'sticky left-0 z-20'
const firstRingClass =
  'group-focus/row:shadow-[inset_0_2px_0_var(--color-gold),inset_0_-2px_0_var(--color-gold),inset_2px_0_0_var(--color-gold)]!'
const secondClass = 'sticky left-9 z-20'
const lastClass = 'sticky right-0 z-20'
const lastRingClass =
  'group-focus/row:shadow-[inset_0_2px_0_var(--color-gold),inset_0_-2px_0_var(--color-gold),inset_-2px_0_0_var(--color-gold)]!'

const restClass = { cut: 'w-full max-w-0', wrap: 'w-full' } as const

export function TableRows<Row extends RowData>(props: RowsProps<Row>) {
  const { label, columns, model, isRoomy, skeletons, isStale } = props
  const visible = model
    .getVisibleLeafColumns()
    .flatMap(({ id }) => columns.find((column) => column.id === id) ?? [])
    .filter(({ needsRoom }) => isRoomy || needsRoom !== true)
  return (
    <table
      aria-label={label}
      aria-busy={isStale}
      className="w-full border-separate border-spacing-0 text-dense tabular-nums"
    >
      <Head model={model} visible={visible} />
      <tbody className={classNames('transition-opacity', isStale && 'opacity-60')}>
        {model.getRowModel().rows.map((row) => (
          <BodyRow key={row.id} {...props} row={row} visible={visible} />
        ))}
        {Array.from({ length: skeletons }, (_, at) => (
          <SkeletonRow key={`skeleton-${at}`} visible={visible} />
        ))}
      </tbody>
    </table>
  )
}

type Visible<Row extends RowData> = { readonly visible: ReadonlyArray<TableColumn<Row>> }

function Head<Row extends RowData>({ model, visible }: Visible<Row> & Pick<RowsProps<Row>, 'model'>) {
  return (
    <thead>
      <tr>
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
        {visible.map((column, at) => (
          <ColumnHead key={column.id} column={column} model={model} isFirst={at === 0} />
        ))}
        <th scope="col" className={classNames(headClass, lastClass)}>
          <span className="sr-only">{texts.actions}</span>
        </th>
      </tr>
    </thead>
  )
}

const sortMarks = {
  asc: { icon: ArrowUp, word: 'ascending' },
  desc: { icon: ArrowDown, word: 'descending' },
} as const

type ColumnHeadProps<Row extends RowData> = {
  readonly column: TableColumn<Row>
  readonly model: TableModel<Row>
  readonly isFirst: boolean
}

function ColumnHead<Row extends RowData>({ column: { id, label, align }, model, isFirst }: ColumnHeadProps<Row>) {
  const column = model.getColumn(id)
  const sorted = column?.getIsSorted() ?? false
  const mark = sorted === false ? undefined : sortMarks[sorted]
  const Arrow = mark?.icon ?? ChevronsUpDown
  const isEnd = align === 'end'
  return (
    <th
      scope="col"
      aria-sort={mark?.word}
      className={classNames(headClass, isFirst && secondClass, isEnd && 'text-right')}
    >
      {column?.getCanSort() === true ? (
        <button
          type="button"
          onClick={column.getToggleSortingHandler()}
          className={classNames(
            'inline-flex min-h-7 items-center gap-1 rounded-s font-medium hover:text-ink',
            mark !== undefined && 'text-ink',
            isEnd && 'flex-row-reverse',
          )}
        >
          {label}
          <Arrow aria-hidden size={14} strokeWidth={1.8} className={mark === undefined ? 'opacity-60' : ''} />
        </button>
      ) : (
        label
      )}
    </th>
  )
}

type BodyRowProps<Row extends RowData> = Visible<Row> &
  Pick<RowsProps<Row>, 'rowName' | 'actions' | 'isFaded' | 'openId'> & {
    readonly row: ReturnType<TableModel<Row>['getRowModel']>['rows'][number]
  }

function BodyRow<Row extends RowData>({ row, visible, rowName, actions, isFaded, openId }: BodyRowProps<Row>) {
  const { id, original } = row
  const isSelected = row.getIsSelected()
  return (
    <tr
      data-row-id={id}
      tabIndex={-1}
      aria-selected={isSelected}
      aria-current={id === openId || undefined}
      className={classNames(
        'group/row transition-colors focus:outline-2 focus:-outline-offset-2 focus:outline-transparent',
        isSelected ? 'bg-gold-soft' : id === openId ? 'bg-surface-press' : 'bg-surface hover:bg-surface-2',
        isFaded?.(original) === true && 'text-ink-2',
      )}
    >
      <td className={classNames(cellClass, firstClass, firstRingClass, 'w-9 p-0!')}>
        <Checkbox
          label={texts.selectRow(rowName(original))}
          isChecked={isSelected}
          onChange={row.getToggleSelectedHandler()}
          className="h-9 w-9"
        />
      </td>
      {visible.map((column, at) => (
        <td
          key={column.id}
          className={classNames(
            cellClass,
            at === 0 && secondClass,
            column.align === 'end' && 'text-right',
            column.takesRest !== undefined && restClass[column.takesRest],
          )}
        >
          {column.cell(original)}
        </td>
      ))}
      <td className={classNames(cellClass, lastClass, lastRingClass)}>
        <div className="flex items-center justify-end gap-1.5">{actions(original)}</div>
      </td>
    </tr>
  )
}

function SkeletonRow<Row extends RowData>({ visible }: Visible<Row>) {
  return (
    <tr aria-hidden className="bg-surface">
      <td className={cellClass}>
        <Skeleton className="size-4" />
      </td>
      {visible.map(({ id, align }) => (
        <td key={id} className={cellClass}>
          <Skeleton className={classNames('h-3.5 w-3/4', align === 'end' && 'ml-auto')} />
        </td>
      ))}
      <td className={cellClass}>
        <Skeleton className="ml-auto h-6 w-16" />
      </td>
    </tr>
  )
}
