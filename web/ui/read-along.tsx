import { type PointerEvent, type ReactNode, useState } from 'react'
import { formatGoldPrice, formatTime } from '#web/platform/formats.ts'
import { classNames } from './class-names.ts'
import { pictureTexts } from './picture-texts.ts'

export type ReadAlongProps = {
  readonly label: string
  /** Returns the position of each point as a fraction of the chart's width, in ascending order. */
  readonly xs: () => readonly number[]
  readonly textOf: (at: number) => string
  /** Returns a point's distance from the top, as a fraction of the chart's height; null to draw no dot. */
  readonly yOf?: (at: number) => number | null
  /** Given if a library draws the crosshair itself; `scaleWidth` is the width of its price scale in px. */
  readonly drawn?: { readonly onRead: (at: number | null) => void; readonly scaleWidth: number }
  readonly className?: string
  readonly children: ReactNode
}

export const timedPrice = (tick: { readonly second: number; readonly price: number } | undefined): string =>
  tick === undefined ? '' : `${formatTime(tick.second * 1000)} · ${formatGoldPrice(tick.price)}`

/**
 * Lets the user read a chart (`children`) point by point (rules §5.7): by mouse, by finger, and by the arrow keys on a
 * slider. The text of a point in the left half is at the right edge, and vice versa. A vertical swipe scrolls the page.
 */
export function ReadAlong({ label, xs, textOf, yOf, drawn, className, children }: ReadAlongProps) {
  const [at, setAt] = useState<number | null>(null)
  const read = (next: number | null) => {
    if (next !== at) drawn?.onRead(next)
    setAt(next)
  }
  const follow = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    const away = xs().map((x) => Math.abs(left + x * width - clientX))
    if (away.length > 0) read(away.indexOf(Math.min(...away)))
  }
  const readNewest = () => {
    const newest = xs().length - 1
    if (newest >= 0) read(newest)
  }
  const places = xs()
  const last = places.length - 1
  const shown = Math.min(at ?? last, last)
  const x = places[shown] ?? 0
  const y = yOf?.(shown) ?? null
  return (
    <div
      className={classNames('relative touch-pan-y select-none', className)}
      onPointerMove={follow}
      onPointerLeave={() => read(null)}
      onPointerCancel={() => read(null)}
    >
      {children}
      <input
        type="range"
        max={Math.max(0, last)}
        value={Math.max(0, shown)}
        onChange={({ target }) => read(target.valueAsNumber)}
        onFocus={({ target }) => target.matches(':focus-visible') && readNewest()}
        onKeyDown={({ key }) => key === 'Escape' && read(null)}
        onBlur={() => read(null)}
        aria-label={pictureTexts.read(label)}
        aria-valuetext={textOf(shown)}
        className="pointer-events-none absolute inset-0 z-[3] size-full appearance-none rounded-s bg-transparent [&::-moz-range-thumb]:opacity-0 [&::-webkit-slider-thumb]:opacity-0 print:hidden"
      />
      {at !== null && last >= 0 && (
        <div aria-hidden translate="no" className="pointer-events-none absolute inset-0 z-[3] print:hidden">
          {drawn === undefined && (
            <span className="absolute inset-y-0 w-px bg-control" style={{ left: `${x * 100}%` }}>
              {y !== null && (
                <span
                  className="absolute left-1/2 size-2.5 -translate-1/2 rounded-pill bg-ink ring-2 ring-surface"
                  style={{ top: `${y * 100}%` }}
                />
              )}
            </span>
          )}
          <span
            className="absolute top-1 max-w-3/5 rounded-[4px] border border-line-strong bg-surface px-1.5 py-0.5 text-xs font-medium tabular-nums"
            style={x < 0.5 ? { right: 4 + (drawn?.scaleWidth ?? 0) } : { left: 4 }}
          >
            {textOf(shown)}
          </span>
        </div>
      )}
    </div>
  )
}

/** Draws an unbroken line of prices in the SVG of a `ReadAlong`. A gap needs one `PriceRun` before it and one after. */
export const PriceRun = ({ points, cap }: { readonly points: string; readonly cap?: 'round' }) => (
  <polyline
    points={points}
    fill="none"
    className="stroke-gold"
    strokeWidth={1.6}
    strokeLinejoin="round"
    strokeLinecap={cap}
    vectorEffect="non-scaling-stroke"
  />
)
