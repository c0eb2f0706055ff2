import type { RowData } from '@tanstack/react-table'
import type { ReactNode } from 'react'
import { minorToText } from '#domain/money.ts'
import { formatDateTime, formatDay, formatGoldNumber, formatTime } from '#web/platform/formats.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { AmountText, type AmountTextProps } from '#web/ui/amounts.tsx'
import { CustomerLink } from '#web/parts/customer-link.tsx'
import type { TableColumn } from './table-model.ts'

/** Returns a function that formats a row's value by `write`, and returns `none` for a row without that value. */
const written =
  <Row, Value, Written, None>(valueOf: (row: Row) => Value | null, write: (value: Value) => Written, none: None) =>
  (row: Row) => {
    const value = valueOf(row)
    return value === null ? none : write(value)
  }

type More<Row extends RowData> = Omit<Partial<TableColumn<Row>>, 'id' | 'label'>

export const dash = <span className="text-ink-3">–</span>

export const momentText = (atMs: number): string => `${formatDay(atMs, serverNowMs())} ${formatTime(atMs)}`

export const textColumn = <Row extends RowData>(
  id: string,
  label: string,
  text: (row: Row) => string,
  more: More<Row> = {},
): TableColumn<Row> => ({ id, label, cell: text, csv: text, ...more })

export const CutText = ({ text, className = '' }: { readonly text: string; readonly className?: string }) => (
  <span title={text} className={`block truncate ${className}`}>
    {text}
  </span>
)

/** A column of times; `at` returns Unix ms. */
export const timeColumn = <Row extends RowData>(
  id: string,
  label: string,
  at: (row: Row) => number | null,
  { show = momentText, ...more }: More<Row> & { readonly show?: (atMs: number) => string } = {},
): TableColumn<Row> => ({ id, label, cell: written(at, show, ''), csv: written(at, formatDateTime, ''), ...more })

type PointsOptions<Row extends RowData> = More<Row> &
  Pick<AmountTextProps, 'kind' | 'className'> & {
    readonly none?: ReactNode
  }

export const pointsColumn = <Row extends RowData>(
  id: string,
  label: string,
  minor: (row: Row) => bigint | null,
  { kind = 'plain', className = '', none = dash, ...more }: PointsOptions<Row> = {},
): TableColumn<Row> => ({
  id,
  label,
  align: 'end',
  cell: written(
    minor,
    (amountMinor) => <AmountText kind={kind} amountMinor={amountMinor} className={className} />,
    none,
  ),
  csv: written(minor, (amountMinor) => ({ decimal: minorToText(amountMinor) }), ''),
  ...more,
})

/** A column of prices; `priceOf` returns thousandths of a dollar, and the export contains dollars. */
export const priceColumn = <Row extends RowData>(
  id: string,
  label: string,
  priceOf: (row: Row) => number | null,
): TableColumn<Row> => ({
  id,
  label,
  align: 'end',
  cell: written(priceOf, formatGoldNumber, dash),
  csv: written(priceOf, (price) => price / 1000, ''),
})

type Owned = { readonly owner: { readonly id: string; readonly username: string } }

export const ownerColumn = <Row extends RowData & Owned>(label: string, className: string): TableColumn<Row> => ({
  id: 'account',
  label,
  card: 'title',
  canHide: false,
  cell: ({ owner }) => <CustomerLink id={owner.id} name={owner.username} className={className} />,
  csv: ({ owner }) => owner.username,
})

/** Returns the columns without the account, for the list of one user. On a card, the title is column `leading`. */
export const columnsOfOwner = <Row extends RowData>(columns: ReadonlyArray<TableColumn<Row>>, leading: string) =>
  columns
    .filter(({ id }) => id !== 'account')
    .map((column) => (column.id === leading ? { ...column, card: 'title' as const, canHide: false } : column))
