import type { RowData } from '@tanstack/react-table'
import { useState } from 'react'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { ChevronDown } from '#web/ui/icons/chevron-down.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import type { TableColumn, TableModel } from './table-model.ts'
import type { RowsProps } from './table-rows.tsx'
import { adminTableTexts as texts } from './table-texts.ts'

export function CardRows<Row extends RowData>(props: RowsProps<Row>) {
  const { label, columns, model, skeletons, isStale } = props
  const visible = new Set(model.getVisibleLeafColumns().map(({ id }) => id))
  const shown = columns.filter(({ id }) => visible.has(id))
  return (
    <ul
      aria-label={label}
      aria-busy={isStale}
      className={classNames('flex flex-col gap-2 transition-opacity', isStale && 'opacity-60')}
    >
      {model.getRowModel().rows.map((row) => (
        <CardRow key={row.id} {...props} row={row} shown={shown} />
      ))}
      {Array.from({ length: skeletons }, (_, at) => (
        <li
          key={`skeleton-${at}`}
          aria-hidden
          className="flex flex-col gap-3 rounded-m border border-line bg-surface p-3"
        >
          <Skeleton className="h-5 w-2/5" />
          <Skeleton className="h-4 w-4/5" />
        </li>
      ))}
    </ul>
  )
}

type CardRowProps<Row extends RowData> = Pick<RowsProps<Row>, 'rowName' | 'actions' | 'isFaded'> & {
  readonly row: ReturnType<TableModel<Row>['getRowModel']>['rows'][number]
  readonly shown: ReadonlyArray<TableColumn<Row>>
}

function CardRow<Row extends RowData>({ row, shown, rowName, actions, isFaded }: CardRowProps<Row>) {
  const { id, original } = row
  const [isUnfolded, setIsUnfolded] = useState(false)
  const at = (place: TableColumn<Row>['card']) => shown.filter(({ card }) => card === place)
  const asides = at('aside')
  const figure = asides.find(({ align }) => align === 'end') ?? asides[0]
  const others = shown.filter(({ card }) => card === undefined)
  const name = rowName(original)
  return (
    <li
      data-row-id={id}
      tabIndex={-1}
      className={classNames(
        '@container flex flex-col gap-1 rounded-m border bg-surface px-3 py-1.5 shadow-card focus:outline-2 focus:-outline-offset-2 focus:outline-gold',
        row.getIsSelected() ? 'border-gold' : 'border-line',
        isFaded?.(original) === true && 'text-ink-2',
      )}
    >
      <div className="flex items-center gap-1">
        <Checkbox
          label={texts.selectRow(name)}
          isChecked={row.getIsSelected()}
          onChange={row.getToggleSelectedHandler()}
          className="-ml-3 size-target"
        />
        <div className="min-w-0 flex-1">
          <div className="flex items-center gap-x-2 text-base font-semibold">
            <Cells columns={at('title')} row={original} className="flex min-w-0 flex-1 items-center gap-x-2" />
            <Cells
              columns={asides.filter((column) => column === figure)}
              row={original}
              className="flex shrink-0 flex-col items-end tabular-nums"
            />
          </div>
          <div className="flex items-center gap-x-2 text-dense text-ink-2 tabular-nums">
            <Cells columns={at('line')} row={original} hasLabels className="flex min-w-0 flex-1 items-center gap-x-2" />
            <Cells
              columns={asides.filter((column) => column !== figure)}
              row={original}
              className="flex shrink-0 items-center gap-1"
            />
          </div>
        </div>
      </div>
      {isUnfolded && <Unfolded columns={others} row={original} />}
      <div className="flex flex-wrap items-center justify-end gap-2">
        {others.length > 0 && (
          <button
            type="button"
            aria-expanded={isUnfolded}
            aria-label={texts.moreOfRow(name)}
            onClick={() => setIsUnfolded(!isUnfolded)}
            className="mr-auto -ml-3 grid size-target place-items-center rounded-s text-ink-3"
          >
            <ChevronDown aria-hidden size={18} className={isUnfolded ? 'rotate-180' : ''} />
          </button>
        )}
        {actions(original)}
      </div>
    </li>
  )
}

type UnfoldedProps<Row extends RowData> = { readonly columns: ReadonlyArray<TableColumn<Row>>; readonly row: Row }

function Unfolded<Row extends RowData>({ columns, row }: UnfoldedProps<Row>) {
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-sm tabular-nums @min-[28rem]:grid-cols-[auto_1fr_auto_1fr] @min-[44rem]:grid-cols-[auto_1fr_auto_1fr_auto_1fr]">
      {columns.map((column) => (
        <div key={column.id} className="contents">
          <dt className="text-ink-3">{column.label}</dt>
          <dd className="flex min-w-0 justify-end text-right break-words">{column.cell(row)}</dd>
        </div>
      ))}
    </dl>
  )
}

type CellsProps<Row extends RowData> = UnfoldedProps<Row> & {
  readonly className: string
  /** Puts the cells on one line, where texts are cut off if needed. Screen readers get each label, too. */
  readonly hasLabels?: boolean
}

const Cells = <Row extends RowData>({ columns, row, className, hasLabels = false }: CellsProps<Row>) => (
  <div className={className}>
    {columns.map(({ id, label, align, cell }) => (
      <span
        key={id}
        className={
          !hasLabels
            ? 'min-w-0'
            : align === 'end'
              ? 'shrink-0'
              : 'min-w-0 truncate whitespace-nowrap *:inline! *:max-w-none!'
        }
      >
        {hasLabels && <span className="sr-only">{label}: </span>}
        {cell(row)}
      </span>
    ))}
  </div>
)
