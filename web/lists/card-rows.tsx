import type { RowData } from '@tanstack/react-table'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import type { TableColumn, TableModel } from './table-model.ts'
import type { RowsProps } from './table-rows.tsx'
import { adminTableTexts as texts } from './table-texts.ts'

/** The rows as cards, where a table has no room: name and amount on top, the other columns as lines, the acts beneath. */
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
          <Skeleton className="h-4 w-3/5" />
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
  const at = (place: TableColumn<Row>['card']) => shown.filter(({ card }) => card === place)
  return (
    <li
      data-row-id={id}
      tabIndex={-1}
      className={classNames(
        '@container flex flex-col gap-2 rounded-m border bg-surface px-3 pt-2 pb-3 shadow-card focus:outline-2 focus:-outline-offset-2 focus:outline-gold',
        row.getIsSelected() ? 'border-gold' : 'border-line',
        isFaded?.(original) === true && 'text-ink-2',
      )}
    >
      <div className="flex items-center gap-1">
        <Checkbox
          label={texts.selectRow(rowName(original))}
          isChecked={row.getIsSelected()}
          onChange={row.getToggleSelectedHandler()}
          className="-ml-3 size-target"
        />
        <div className="flex min-h-target min-w-0 flex-1 flex-wrap items-center gap-x-2 text-base font-semibold">
          {at('title').map((column) => (
            <span key={column.id} className="min-w-0">
              {column.cell(original)}
            </span>
          ))}
        </div>
        <div className="flex flex-col items-end text-base font-semibold tabular-nums">
          {at('aside').map((column) => (
            <span key={column.id}>{column.cell(original)}</span>
          ))}
        </div>
      </div>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-sm tabular-nums @min-[28rem]:grid-cols-[auto_1fr_auto_1fr] @min-[44rem]:grid-cols-[auto_1fr_auto_1fr_auto_1fr]">
        {at(undefined).map((column) => (
          <div key={column.id} className="contents">
            <dt className="text-ink-3">{column.label}</dt>
            <dd className="flex min-w-0 justify-end text-right break-words">{column.cell(original)}</dd>
          </div>
        ))}
      </dl>
      <div className="flex flex-wrap items-center justify-end gap-2 pt-1">{actions(original)}</div>
    </li>
  )
}
