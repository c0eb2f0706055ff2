import { scaleBand, scaleLinear } from '@visx/scale'
import type { ReactNode } from 'react'
import { useWidth } from '#web/ui/use-width.ts'
import { scaleText } from './figure-table.ts'
import { axisText, type Figures } from './figures.ts'
import { PlotCard, type PlotCardProps } from './plot-card.tsx'
import { ColumnText, PLOT_HEIGHT, PlotMarks, RowText } from './plot-marks.tsx'

/** Positions for drawing over time, in px from the plot's upper left corner. */
export type Places = {
  readonly left: (at: number) => number
  /** The width of one bucket, including the gap between its bars and the next bucket. */
  readonly step: number
  readonly y: (value: number) => number
  readonly width: number
  readonly height: number
}

export type Times = Pick<Figures, 'bucket'> & { readonly buckets: ReadonlyArray<{ readonly fromMs: number }> }

export type TimelineProps = Omit<PlotCardProps, 'children'> & {
  readonly figures: Times
  /** The vertical scale covers all of these values and 0. */
  readonly values: readonly number[]
  readonly textOf?: (value: number) => string
  /** Returns the values of the horizontal lines, as `timeTicks` does. If absent, lines are drawn at whole numbers. */
  readonly ticks?: (highest: number) => readonly number[]
  readonly children: (places: Places) => ReactNode
}

const TOP = 8

/** A chart over time, with the scale at the left and the buckets from left to right. */
export function Timeline({ figures, values, textOf = scaleText, ticks, children, ...card }: TimelineProps) {
  const { ref, width, rem } = useWidth()
  const axis = figures.buckets.map(({ fromMs }) => axisText(figures.bucket, fromMs))
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
  return (
    <PlotCard {...card}>
      <PlotMarks
        figure={card.figure}
        ref={ref}
        width={width}
        boxOf={(at) => ({ left: margin.left + left(at), top: TOP, width: x.bandwidth(), height: plot.height })}
        markAt={(px) => {
          const at = Math.floor((px - margin.left) / x.step())
          return at >= 0 && at < axis.length ? at : null
        }}
      >
        <g transform={`translate(${margin.left} ${TOP})`}>
          {(ticks?.(y.domain()[1] ?? 1) ?? wholeTicks(y.ticks(4))).map((tick) => (
            <g key={tick} className="tabular-nums">
              <line
                x2={plot.width}
                y1={y(tick)}
                y2={y(tick)}
                className={tick === 0 ? 'stroke-control' : 'stroke-line'}
                strokeWidth={1}
              />
              <RowText x={-6} y={y(tick)}>
                {textOf(tick)}
              </RowText>
            </g>
          ))}
          {children({ left, step: x.step(), y, ...plot })}
          {axis.map(
            (mark, at) =>
              at % marked === 0 && (
                // The key is the index, because the same hour can occur on two days of the range.
                // oxlint-disable-next-line react/no-array-index-key -- see above
                <ColumnText key={at} x={left(at) + x.bandwidth() / 2} y={plot.height + 1.2 * rem}>
                  {mark}
                </ColumnText>
              ),
          )}
        </g>
      </PlotMarks>
    </PlotCard>
  )
}

/** Keeps only whole numbers, because a scale that counts a few bets must not have a line at half a bet. */
export const wholeTicks = (ticks: readonly number[]): readonly number[] => ticks.filter(Number.isInteger)

/** The allowed distances between two lines of a time scale, in ms, up to one day. Longer distances are whole days. */
const timeSteps = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21_600, 43_200, 86_400].map((s) => s * 1000)

/** Returns at most five values, in ms, for the lines of a scale of time. */
export function timeTicks(highestMs: number): readonly number[] {
  const step = timeSteps.find((ms) => highestMs / ms <= 4) ?? Math.ceil(highestMs / 4 / 86_400_000) * 86_400_000
  return Array.from({ length: Math.floor(highestMs / step) + 1 }, (_, at) => at * step)
}
