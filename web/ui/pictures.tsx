import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

/*
 * Positions and widths are relative to the chart, while strokes and dots have fixed sizes, so that no width distorts
 * them. Texts are outside the SVG, where they grow with the user's font size.
 */

const percent = (part: number): string => `${Math.round(part * 10_000) / 100}%`

export type FramedProps = {
  readonly bounds?: readonly string[]
  readonly axis: readonly string[]
  readonly children: ReactNode
}

export function Framed({ bounds, axis, children }: FramedProps) {
  return (
    <figure className="flex flex-col gap-1">
      {bounds !== undefined && (
        <p className="flex flex-wrap justify-between gap-x-3 text-xs text-ink-3 tabular-nums">
          {bounds.map((bound) => (
            <span key={bound}>{bound}</span>
          ))}
        </p>
      )}
      {children}
      <figcaption className="flex flex-wrap justify-between gap-x-3 text-xs text-ink-3 tabular-nums">
        {axis.map((mark, at) => (
          // The key is the index, since two marks may have the same text.
          // oxlint-disable-next-line react/no-array-index-key -- see above
          <span key={at}>{mark}</span>
        ))}
      </figcaption>
    </figure>
  )
}

export type BarsProps = {
  readonly label: string
  readonly values: readonly number[]
  readonly colours: 'sign' | 'plain'
}

export function Bars({ label, values, colours }: BarsProps) {
  const most = Math.max(0, ...values)
  const least = Math.min(0, ...values)
  const span = most - least || 1
  const width = 1 / Math.max(1, values.length)
  const zero = most / span
  return (
    <svg role="img" aria-label={label} width="100%" className="h-32 rounded-s bg-surface-2">
      {values.map((value, at) => {
        if (value === 0) return null
        // A bar has a minimum height, so that a small value stays visible.
        const height = Math.max(Math.abs(value) / span, 0.012)
        return (
          <rect
            // The key is the index, since a bar is identified by its position.
            // oxlint-disable-next-line react/no-array-index-key -- see above
            key={at}
            x={percent((at + 0.12) * width)}
            width={percent(0.76 * width)}
            y={percent(value > 0 ? zero - height : zero)}
            height={percent(height)}
            className={colours === 'plain' ? 'fill-gold' : value > 0 ? 'fill-up' : 'fill-down'}
          />
        )
      })}
      <line x1="0" x2="100%" y1={percent(zero)} y2={percent(zero)} className="stroke-control" strokeWidth={1} />
    </svg>
  )
}

export type StepLineProps = {
  readonly label: string
  readonly values: ReadonlyArray<number | null>
  readonly bounds?: readonly [least: number, most: number]
  readonly className?: string
}

export function StepLine({ label, values, bounds, className = 'h-32' }: StepLineProps) {
  const known = values.flatMap((value) => (value === null ? [] : [value]))
  const [least, most] = bounds ?? [Math.min(...known), Math.max(...known)]
  const span = most - least || 1
  const inset = 6
  const y = (value: number) =>
    most === least ? 50 : Math.round((inset + ((most - value) / span) * (100 - 2 * inset)) * 10) / 10
  let path = ''
  for (const [at, value] of values.entries())
    if (value !== null) path += path === '' ? `M${at} ${y(value)}H${at + 1}` : `V${y(value)}H${at + 1}`
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${Math.max(1, values.length)} 100`}
      preserveAspectRatio="none"
      className={classNames(className, 'w-full rounded-s bg-surface-2')}
    >
      <path d={path} fill="none" className="stroke-gold" strokeWidth={2} vectorEffect="non-scaling-stroke" />
    </svg>
  )
}

type Range = { readonly low: number; readonly high: number }

export type StripProps = {
  readonly label: string
  readonly scale: Range
  /** The range in which the value would probably lie by chance alone. */
  readonly band: Range
  /** The confidence interval of the value. */
  readonly interval?: Range
  readonly mean?: number
  readonly value: number
}

export function Strip({ label, scale, band, interval, mean, value }: StripProps) {
  const at = (point: number) => percent(Math.min(1, Math.max(0, (point - scale.low) / (scale.high - scale.low))))
  const width = (range: Range) => percent(Math.min(1, (range.high - range.low) / (scale.high - scale.low)))
  return (
    <svg role="img" aria-label={label} width="100%" height="28" className="overflow-visible">
      <rect x="0" y="2" width="100%" height="24" rx="4" className="fill-surface-2" />
      <rect
        x={at(band.low)}
        y="2"
        width={width(band)}
        height="24"
        className="fill-info-soft stroke-info"
        strokeWidth={1}
      />
      {mean !== undefined && (
        <line x1={at(mean)} x2={at(mean)} y1="2" y2="26" className="stroke-info" strokeWidth={2} />
      )}
      {interval !== undefined && (
        <>
          <line x1={at(interval.low)} x2={at(interval.high)} y1="14" y2="14" className="stroke-ink" strokeWidth={2} />
          {[interval.low, interval.high].map((end) => (
            <line key={end} x1={at(end)} x2={at(end)} y1="9" y2="19" className="stroke-ink" strokeWidth={2} />
          ))}
        </>
      )}
      <circle cx={at(value)} cy="14" r="5.5" className="fill-gold stroke-surface" strokeWidth={1.5} />
    </svg>
  )
}

/** An entry of a chart's legend: SVG content for a box of 16 × 16, and its meaning. */
export type Swatch = { readonly mark: ReactNode; readonly text: string }

export const stripMarks = {
  band: <rect x="0.5" y="2.5" width="15" height="11" className="fill-info-soft stroke-info" />,
  mean: <line x1="8" x2="8" y1="1" y2="15" className="stroke-info" strokeWidth={2} />,
  interval: <path d="M1 8H15M1 4V12M15 4V12" className="stroke-ink" strokeWidth={2} />,
  value: <circle cx="8" cy="8" r="5.5" className="fill-gold" />,
} as const

export function Legend({ items }: { readonly items: readonly Swatch[] }) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-2">
      {items.map(({ mark, text }) => (
        <li key={text} className="flex items-center gap-1.5">
          <svg aria-hidden width="16" height="16" className="shrink-0">
            {mark}
          </svg>
          {text}
        </li>
      ))}
    </ul>
  )
}

export type LabelledProps = { readonly label: string; readonly value: string; readonly children: ReactNode }

export function Labelled({ label, value, children }: LabelledProps) {
  return (
    <div className="flex flex-col gap-0.5">
      <p className="flex flex-wrap justify-between gap-x-3 text-sm">
        <span className="text-ink-2">{label}</span>
        <span className="font-medium tabular-nums">{value}</span>
      </p>
      {children}
    </div>
  )
}

const legendOrder = ['value', 'interval', 'mean', 'band'] as const

export type StripsProps = Pick<StripProps, 'scale'> & {
  readonly rows: ReadonlyArray<Omit<StripProps, 'scale'> & { readonly text: string }>
  /** The texts below the strips, from the low end of the scale to the high end. */
  readonly axis: readonly string[]
  readonly legend: { readonly [Mark in keyof typeof stripMarks]?: string }
}

export function Strips({ rows, scale, axis, legend }: StripsProps) {
  return (
    <div className="flex flex-col gap-2">
      {rows.map(({ text, ...strip }) => (
        <Labelled key={strip.label} label={strip.label} value={text}>
          <Strip {...strip} scale={scale} />
        </Labelled>
      ))}
      <p className="flex justify-between text-xs text-ink-3 tabular-nums">
        {axis.map((mark) => (
          <span key={mark}>{mark}</span>
        ))}
      </p>
      <Legend
        items={legendOrder.flatMap((mark) => {
          const text = legend[mark]
          return text === undefined ? [] : { mark: stripMarks[mark], text }
        })}
      />
    </div>
  )
}

export function LyingBar({ part, className }: { readonly part: number; readonly className?: string }) {
  return (
    <svg aria-hidden width="100%" height="12">
      <rect width="100%" height="12" rx="4" className="fill-surface-2" />
      <rect width={percent(part)} height="12" rx="4" className={classNames('fill-gold', className)} />
    </svg>
  )
}
