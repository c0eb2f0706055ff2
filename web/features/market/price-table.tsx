import type { ReactNode } from 'react'
import { marketTexts } from './market-texts.ts'

export type PriceTableProps = {
  readonly label: string
  readonly columns: readonly string[]
  readonly rows: readonly {
    readonly key: number
    readonly head: ReactNode
    readonly cells: readonly string[]
  }[]
}

export function PriceTable({ label, columns, rows }: PriceTableProps) {
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- A region that scrolls must be reachable by keyboard.
      tabIndex={0}
      role="region"
      aria-label={label}
      className="size-full overflow-auto focus-visible:-outline-offset-2"
    >
      <table className="w-full text-right text-xs tabular-nums max-[22rem]:text-[0.6875rem] max-[22rem]:tracking-tight">
        <caption className="sr-only">{label}</caption>
        <thead>
          <tr>
            {[marketTexts.time, ...columns].map((column) => (
              <th key={column} scope="col" className={headClass}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody translate="no">
          {rows.map(({ key, head, cells }) => (
            <tr key={key} className="border-t border-line">
              <th scope="row" className="py-1.5 pl-2 text-left font-medium">
                {head}
              </th>
              {cells.map((cell, at) => (
                <td key={columns[at]} className="py-1.5 pl-1 last:pr-2">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const headClass = 'sticky top-0 h-8 bg-surface-2 pl-1 font-medium text-ink-2 first:pl-2 first:text-left last:pr-2'
