import { Link } from '@tanstack/react-router'
import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  type Ref,
  useRef,
  useState,
} from 'react'
import { classNames } from '#web/ui/class-names.ts'
import type { FigureRow } from './figure-table.ts'
import type { Figure } from './figures.ts'
import { figuresTexts as texts } from './figures-texts.ts'

export const PLOT_HEIGHT = 208

/** A box in CSS pixels, measured from the chart's upper left corner. */
export type Box = { readonly left: number; readonly top: number; readonly width: number; readonly height: number }

export type PlotMarksProps = {
  /** `figure.table` has one row per mark, such as a bar. The chosen mark's row has the tooltip's text and the link. */
  readonly figure: Figure
  readonly boxOf: (at: number) => Box
  /** Returns the index of the mark at this point, or null if no mark is there. */
  readonly markAt: (x: number, y: number) => number | null
  /** The number of marks in a row of the chart. If absent, all marks are one row. The keys ↑ and ↓ move by one row. */
  readonly columns?: number
  readonly width: number
  readonly ref: Ref<HTMLDivElement>
  /** SVG content, `width` wide and `PLOT_HEIGHT` high. */
  readonly children: ReactNode
}

/**
 * A chart that shows the figures of one mark at a time, and links to the list of this mark. The mark is chosen by the
 * pointer or the arrow keys. On a touch screen, the first press chooses a mark and the second press opens the list.
 */
export function PlotMarks({ figure: { title, table }, boxOf, markAt, columns, width, ref, children }: PlotMarksProps) {
  const { rows, head } = table
  const { at, by, isShown, ofArea, ofLink } = useChosenMark(rows.length - 1, markAt, columns ?? rows.length)
  const row = rows[at]
  if (row === undefined) return null
  const box = boxOf(at)
  const figures = row.cells.map((cell, column) => `${head[column + 1] ?? ''}: ${cell.text}`)
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- its link is what has a role
    <div ref={ref} className="relative touch-pan-y" style={{ height: PLOT_HEIGHT }} {...ofArea}>
      <svg role="img" aria-label={title} width={width} height={PLOT_HEIGHT} className="block overflow-visible">
        {children}
      </svg>
      {row.address !== undefined && (
        <Link
          {...row.address}
          aria-label={`${title}, ${row.name}: ${figures.join('; ')}`}
          aria-description={texts.keys}
          className={classNames(
            'absolute block rounded-[4px]',
            isShown && 'bg-ink/8 shadow-[inset_0_0_0_1px_var(--color-control)]',
          )}
          style={box}
          draggable={false}
          {...ofLink}
        />
      )}
      {/* A screen reader may not announce a focused link's new name, so this status announces marks chosen by keys. */}
      <span role="status" className="sr-only">
        {isShown && by === 'keys' && `${row.name}: ${figures.join('; ')}`}
      </span>
      {isShown && (
        <Tooltip
          row={row}
          head={head}
          way={by === 'touch' ? texts.touchAgain : texts.openList}
          place={
            box.left + box.width / 2 < width / 2 ? { left: box.left + box.width + 6 } : { right: width - box.left + 6 }
          }
        />
      )}
    </div>
  )
}

const steps: Readonly<Record<string, (at: number, columns: number, last: number) => number>> = {
  ArrowLeft: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  ArrowUp: (at, columns) => at - columns,
  ArrowDown: (at, columns) => at + columns,
  Home: () => 0,
  End: (_, __, last) => last,
}

/** Returns `at`, the index of the chosen mark or else of the last mark, and handlers that choose a mark. */
function useChosenMark(last: number, markAt: PlotMarksProps['markAt'], columns: number) {
  const [chosen, setChosen] = useState<number | null>(null)
  const [by, setBy] = useState<'pointer' | 'touch' | 'keys'>('pointer')
  const isNew = useRef(false)
  const isShown = chosen !== null && chosen <= last
  const at = isShown ? chosen : last

  const choose = (event: PointerEvent) => {
    const place = event.currentTarget.getBoundingClientRect()
    const mark = markAt(event.clientX - place.left, event.clientY - place.top)
    const kind = event.pointerType === 'mouse' ? 'pointer' : 'touch'
    if (event.type === 'pointerdown') isNew.current = kind === 'touch' && mark !== chosen
    setBy(kind)
    setChosen(mark)
  }
  const chooseByKeys = (mark: number) => {
    setBy('keys')
    setChosen(mark)
  }
  return {
    at,
    by,
    isShown,
    ofArea: {
      onPointerMove: choose,
      onPointerDown: choose,
      onPointerLeave: (event: PointerEvent) => event.pointerType === 'mouse' && setChosen(null),
      onClickCapture: (event: MouseEvent) => {
        if (isNew.current) event.preventDefault()
        isNew.current = false
      },
    },
    ofLink: {
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key === 'Escape') setChosen(null)
        const next = steps[event.key]?.(at, columns, last)
        if (next === undefined) return
        event.preventDefault()
        chooseByKeys(next < 0 || next > last ? at : next)
      },
      onFocus: (event: FocusEvent) => event.currentTarget.matches(':focus-visible') && chooseByKeys(at),
      onBlur: () => setChosen(null),
    },
  }
}

type EdgeTextProps = { readonly x: number; readonly y: number; readonly children: ReactNode }

export const RowText = ({ x, y, children }: EdgeTextProps) => (
  <text x={x} y={y} dy="0.32em" textAnchor="end" className="fill-ink-3 text-xs">
    {children}
  </text>
)

export const ColumnText = ({ x, y, children }: EdgeTextProps) => (
  <text x={x} y={y} textAnchor="middle" className="fill-ink-3 text-xs tabular-nums">
    {children}
  </text>
)

type TooltipProps = {
  readonly row: FigureRow
  readonly head: readonly string[]
  /** A text that says how to open the list to which the row links. */
  readonly way: string
  readonly place: { readonly left: number } | { readonly right: number }
}

function Tooltip({ row: { name, cells }, head, way, place }: TooltipProps) {
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute top-0 z-10 max-w-[min(16rem,90%)] rounded-s border border-line-strong bg-surface px-2.5 py-2 text-xs shadow-overlay"
      style={place}
    >
      <p className="font-semibold tabular-nums">{name}</p>
      <dl className="mt-0.5 grid grid-cols-[auto_auto] gap-x-3">
        {cells.map((cell, column) => (
          <div key={head[column + 1]} className="col-span-2 grid grid-cols-subgrid">
            <dt className="text-ink-3">{head[column + 1]}</dt>
            <dd className="text-right font-medium tabular-nums">{cell.text}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-1 text-ink-3">{way}</p>
    </div>
  )
}
