import { scaleBand, scaleLinear } from '@visx/scale'
import type { ReactNode } from 'react'
import type { FigureTable } from './figure-table.ts'
import { PlotMarks, useWidth } from './plot-marks.tsx'

/** Where things of a picture over time stand, in px from the plot's left upper corner. */
export type Places = {
  readonly left: (at: number) => number
  /** Of one bucket, its gap included. */
  readonly step: number
  readonly y: (value: number) => number
  readonly width: number
  readonly height: number
}

export type TimelineProps = {
  readonly label: string
  readonly table: FigureTable
  /** Beneath each bucket, as far as there is room. */
  readonly axis: readonly string[]
  /** The values that have to fit; 0 always does. */
  readonly values: readonly number[]
  readonly scaleText: (value: number) => string
  /** Values at which lines are drawn, where the usual tens are odd; see `timeTicks`. */
  readonly ticks?: (highest: number) => readonly number[]
  readonly children: (places: Places) => ReactNode
}

/** The same for every picture, and for what holds its place while it loads. */
export const PLOT_HEIGHT = 208
const TOP = 8

/** A picture over time: the scale at the left, buckets from left to right, what is drawn between. */
export function Timeline({ label, table, axis, values, scaleText, ticks, children }: TimelineProps) {
  const { ref, width, rem } = useWidth()
  const margin = { left: 3 * rem, bottom: 1.6 * rem }
  const plot = { width: Math.max(40, width - margin.left), height: PLOT_HEIGHT - TOP - margin.bottom }
  const x = scaleBand({ domain: axis.map((_, at) => at), range: [0, plot.width] })
  const highest = Math.max(0, ...values)
  const lowest = Math.min(0, ...values)
  const isFlat = highest === lowest
  const y = scaleLinear({
    domain: [isFlat ? 0 : lowest, isFlat ? 1 : highest],
    range: [plot.height, 0],
    nice: ticks === undefined ? 4 : false,
  })
  const left = (at: number) => x(at) ?? 0
  const marked = Math.max(1, Math.ceil((axis.length * 3.2 * rem) / plot.width))
  const inPlot = (px: number) => px - margin.left
  return (
    <div ref={ref}>
      <PlotMarks
        label={label}
        table={table}
        width={width}
        height={PLOT_HEIGHT}
        boxOf={(at) => ({ left: margin.left + left(at), top: TOP, width: x.bandwidth(), height: plot.height })}
        markAt={(px) => {
          const at = Math.floor(inPlot(px) / x.step())
          return at >= 0 && at < axis.length ? at : null
        }}
      >
        <svg role="img" aria-label={label} width={width} height={PLOT_HEIGHT} className="block overflow-visible">
          <g transform={`translate(${margin.left} ${TOP})`}>
            {(ticks?.(y.domain()[1] ?? 1) ?? wholeTicks(y.ticks(4))).map((tick) => (
              <g key={tick}>
                <line
                  x2={plot.width}
                  y1={y(tick)}
                  y2={y(tick)}
                  className={tick === 0 ? 'stroke-control' : 'stroke-line'}
                  strokeWidth={1}
                />
                <text x={-6} y={y(tick)} dy="0.32em" textAnchor="end" className="fill-ink-3 text-xs tabular-nums">
                  {scaleText(tick)}
                </text>
              </g>
            ))}
            {children({ left, step: x.step(), y, ...plot })}
            {axis.map(
              (mark, at) =>
                at % marked === 0 && (
                  <text
                    // Two days of a range may have the same hours.
                    // oxlint-disable-next-line react/no-array-index-key -- see above
                    key={at}
                    x={left(at) + x.bandwidth() / 2}
                    y={plot.height + 1.2 * rem}
                    textAnchor="middle"
                    className="fill-ink-3 text-xs tabular-nums"
                  >
                    {mark}
                  </text>
                ),
            )}
          </g>
        </svg>
      </PlotMarks>
    </div>
  )
}

/** Nobody places half a bet: between small counts stands no line. */
export const wholeTicks = (ticks: readonly number[]): readonly number[] => ticks.filter(Number.isInteger)

/** Times that people count in: seconds, minutes, hours and days, in ms. */
const timeSteps = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21_600, 43_200, 86_400].map((s) => s * 1000)

/** At most five lines of a scale of time. */
export function timeTicks(highestMs: number): readonly number[] {
  const step = timeSteps.find((ms) => highestMs / ms <= 4) ?? Math.ceil(highestMs / 4 / 86_400_000) * 86_400_000
  return Array.from({ length: Math.floor(highestMs / step) + 1 }, (_, at) => at * step)
}
