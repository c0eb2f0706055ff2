import type { SumPoint } from './rates-words.ts'

export type SumPictureProps = { readonly label: string; readonly points: readonly SumPoint[] }

const INSET = 6

/** Draws the sum of the players' profits as a line, and behind it the range of that sum in 95 of 100 cases by chance. */
export function SumPicture({ label, points }: SumPictureProps) {
  const sums = [0, ...points.map(({ sumMinor }) => Number(sumMinor))]
  const bands = [0, ...points.map(({ bandMinor }) => Number(bandMinor))]
  const reach = Math.max(1, ...sums.map(Math.abs), ...bands)
  const y = (value: number) => Math.round((50 - (value / reach) * (50 - INSET)) * 100) / 100
  const line = (values: readonly number[]) => values.map((value, at) => `${at} ${y(value)}`).join('L')
  const back = bands.map((band, at) => `${at} ${y(-band)}`).toReversed()
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${sums.length - 1 || 1} 100`}
      preserveAspectRatio="none"
      className="h-40 w-full rounded-s bg-surface-2"
    >
      <path
        d={`M${line(bands)}L${back.join('L')}Z`}
        className="fill-info-soft stroke-info"
        strokeWidth={1}
        vectorEffect="non-scaling-stroke"
      />
      <path
        d={`M0 50H${sums.length - 1}`}
        className="stroke-control"
        strokeWidth={1}
        vectorEffect="non-scaling-stroke"
      />
      <path
        d={`M${line(sums)}`}
        fill="none"
        className="stroke-gold"
        strokeWidth={2}
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  )
}
