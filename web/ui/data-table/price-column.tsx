import type { RowData } from '@tanstack/react-table'
import { formatGoldNumber } from '#web/platform/formats.ts'
import type { TableColumn } from './table-model.ts'

/** A column of gold prices, in thousandths of a dollar; a dash for a missing price. The export contains dollars. */
export function priceColumn<Row extends RowData>(
  id: string,
  label: string,
  priceOf: (row: Row) => number | null,
): TableColumn<Row> {
  return {
    id,
    label,
    align: 'end',
    cell: (row) => {
      const price = priceOf(row)
      return price === null ? <span className="text-ink-3">–</span> : formatGoldNumber(price)
    },
    csv: (row) => {
      const price = priceOf(row)
      return price === null ? '' : price / 1000
    },
  }
}
