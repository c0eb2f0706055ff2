import { classNames } from '#web/ui/class-names.ts'

const width = 56
const height = 16
const inset = 2

export type SparklineProps = {
  /** From 0 to 100, oldest first (contract/market.ts); fewer than two draw nothing. */
  readonly shape: readonly number[]
  readonly className?: string
}

/** The last 7 days without a scale: decoration, since price and change stand beside it as text. */
export function Sparkline({ shape, className }: SparklineProps) {
  const x = (point: number) => inset + (point * (width - 2 * inset)) / (shape.length - 1)
  const y = (value: number) => inset + ((100 - value) * (height - 2 * inset)) / 100
  if (shape.length < 2) return null
  return (
    <svg aria-hidden viewBox={`0 0 ${width} ${height}`} className={classNames('h-4 w-14 shrink-0', className)}>
      <polyline
        points={shape.map((value, point) => `${x(point).toFixed(1)},${y(value).toFixed(1)}`).join(' ')}
        fill="none"
        className="stroke-ink-3"
        strokeWidth={1.5}
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    </svg>
  )
}
