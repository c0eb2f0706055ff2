import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, type PointerEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { classNames } from '#web/ui/class-names.ts'
import type { FigureTable } from './figure-table.ts'
import { figuresTexts as texts } from './figures-texts.ts'

/** In CSS pixels, from the picture's left upper corner. */
export type Box = { readonly left: number; readonly top: number; readonly width: number; readonly height: number }

/** The reader's letter size, by which scales leave room for their texts, in px. */
const remPx = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16

/** A part of the page, and its width, which pictures are drawn for. */
export function useWidth() {
  const ref = useRef<HTMLDivElement>(null)
  // What is drawn before it is measured; tests measure nothing.
  const [size, setSize] = useState({ width: 480, rem: 16 })
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null) return
    const measure = () => {
      const width = element.clientWidth
      if (width > 0) setSize({ width, rem: remPx() })
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { ref, ...size }
}

export type PlotMarksProps = {
  readonly label: string
  readonly height: number
  /** A mark for each row; its tooltip says the row's figures, a press opens the row's list. */
  readonly table: FigureTable
  readonly boxOf: (at: number) => Box
  /** The mark at this place, null beside all of them. */
  readonly markAt: (x: number, y: number) => number | null
  /** How many marks stand beside each other: up and down go that far. */
  readonly columns?: number
  readonly width: number
  readonly children: ReactNode
}

const steps: Readonly<Record<string, (at: number, columns: number, last: number) => number>> = {
  ArrowLeft: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  ArrowUp: (at, columns) => at - columns,
  ArrowDown: (at, columns) => at + columns,
  Home: () => 0,
  End: (_, __, last) => last,
}

/**
 * What one does with the marks of a picture: one of them at a time is a link to its list and says its figures, the one
 * under the pointer or, by the arrow keys, the focused one. A finger needs two presses, since it covers the mark.
 */
export function PlotMarks({
  label,
  height,
  width,
  table,
  boxOf,
  markAt,
  columns = table.rows.length,
  children,
}: PlotMarksProps) {
  const area = useRef<HTMLDivElement>(null)
  const [chosen, setChosen] = useState<number | null>(null)
  const [by, setBy] = useState<'pointer' | 'touch' | 'keys'>('pointer')
  const isNew = useRef(false)
  const last = table.rows.length - 1
  const at = chosen === null || chosen > last ? last : chosen
  const row = table.rows[at]
  if (row === undefined) return null
  const box = boxOf(at)
  const isShown = chosen !== null && chosen <= last

  const choose = (event: PointerEvent) => {
    const place = area.current?.getBoundingClientRect()
    if (place === undefined) return
    const mark = markAt(event.clientX - place.left, event.clientY - place.top)
    const kind = event.pointerType === 'mouse' ? 'pointer' : 'touch'
    if (event.type === 'pointerdown') isNew.current = kind === 'touch' && mark !== chosen
    setBy(kind)
    setChosen(mark)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setChosen(null)
    const next = steps[event.key]?.(at, columns, last)
    if (next === undefined) return
    event.preventDefault()
    setBy('keys')
    setChosen(next < 0 || next > last ? at : next)
  }
  const figures = row.cells.map((cell, column) => `${table.head[column + 1] ?? ''}: ${cell.text}`)
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- its link is what has a role
    <div
      ref={area}
      className="relative touch-pan-y"
      style={{ height }}
      onPointerMove={choose}
      onPointerDown={choose}
      onPointerLeave={(event) => event.pointerType === 'mouse' && setChosen(null)}
      onClickCapture={(event) => {
        if (isNew.current) event.preventDefault()
        isNew.current = false
      }}
    >
      {children}
      {row.address !== undefined && (
        <Link
          {...row.address}
          aria-label={`${label}, ${row.name}: ${figures.join('; ')}`}
          aria-description={texts.keys}
          className={classNames(
            'absolute block rounded-[4px]',
            isShown && 'bg-ink/8 shadow-[inset_0_0_0_1px_var(--control)]',
          )}
          style={box}
          draggable={false}
          onKeyDown={onKeyDown}
          onFocus={(event) => {
            if (!event.currentTarget.matches(':focus-visible')) return
            setBy('keys')
            setChosen(at)
          }}
          onBlur={() => setChosen(null)}
        />
      )}
      {/* The link's own name changes under the focus, which screen readers don't tell. */}
      <span role="status" className="sr-only">
        {isShown && by === 'keys' && `${row.name}: ${figures.join('; ')}`}
      </span>
      {isShown && (
        <div
          aria-hidden
          className="pointer-events-none absolute top-0 z-10 max-w-[min(16rem,90%)] rounded-s border border-line-strong bg-surface px-2.5 py-2 text-xs shadow-overlay"
          style={
            box.left + box.width / 2 < width / 2 ? { left: box.left + box.width + 6 } : { right: width - box.left + 6 }
          }
        >
          <p className="font-semibold tabular-nums">{row.name}</p>
          <dl className="mt-0.5 grid grid-cols-[auto_auto] gap-x-3">
            {row.cells.map((cell, column) => (
              <div key={table.head[column + 1]} className="col-span-2 grid grid-cols-subgrid">
                <dt className="text-ink-3">{table.head[column + 1]}</dt>
                <dd className="text-right font-medium tabular-nums">{cell.text}</dd>
              </div>
            ))}
          </dl>
          <p className="mt-1 text-ink-3">{by === 'touch' ? texts.touchAgain : texts.openList}</p>
        </div>
      )}
    </div>
  )
}
