import { formatGoldNumber, formatTime } from '#web/platform/formats.ts'
import { classNames } from '#web/ui/class-names.ts'
import { PriceRun, ReadAlong, timedPrice } from '#web/ui/read-along.tsx'
import { pointsOf, priceSpan, type RoundPoint, type RoundTick } from './live-round.ts'
import { marketTexts } from './market-texts.ts'

export type EndedRoundProps = {
  readonly ticks: readonly RoundTick[]
  readonly entrySeconds: readonly number[]
  /** False while the round runs. The newest price is then not marked as the end. */
  readonly isOver?: boolean
}

const width = 600
const height = 160

/** Draws the prices of a round as a line that can also be printed. */
export function EndedRound({ ticks, entrySeconds, isOver = true }: EndedRoundProps) {
  const points = pointsOf(ticks)
  const span = priceSpan(points, null)
  const [first, last] = [ticks[0], ticks.at(-1)]
  if (span === null || first === undefined || last === undefined)
    return <p className="text-sm text-ink-2">{marketTexts.noPrice}</p>
  const [low, high] = span
  const x = (second: number) => ((second - first.second) / Math.max(1, last.second - first.second)) * width
  const y = (price: number) => height - ((price - low) / Math.max(1, high - low)) * height
  const byPlace = new Set(entrySeconds)
  const entered = points.filter(({ second }) => byPlace.has(second))
  const runs = runsOf(points, ({ second, price }) => `${x(second).toFixed(1)},${y(price).toFixed(1)}`)
  const hasEnd = isOver && last.price !== null
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-col gap-1">
        <ReadAlong
          label={marketTexts.captions.round}
          xs={() => points.map(({ second }) => (x(second) + 8) / (width + 16))}
          textOf={(at) => timedPrice(points[at])}
          yOf={(at) => (y(points[at]?.price ?? 0) + 8) / (height + 16)}
        >
          <svg
            aria-hidden
            viewBox={`-8 -8 ${width + 16} ${height + 16}`}
            preserveAspectRatio="none"
            className="h-40 w-full rounded-s border border-line bg-surface-2"
          >
            {first.price !== null && (
              <line
                x1={0}
                x2={width}
                y1={y(first.price)}
                y2={y(first.price)}
                strokeDasharray="4 4"
                className="stroke-info"
                vectorEffect="non-scaling-stroke"
              />
            )}
            {runs.map((run) => (
              <PriceRun key={run[0] ?? ''} points={run.join(' ')} />
            ))}
            {entered.map(({ second, price }) => (
              <Dot key={second} x={x(second)} y={y(price)} size={6} look="stroke-info" />
            ))}
            {hasEnd && <Dot x={width} y={y(last.price)} size={9} look="stroke-ink" />}
          </svg>
          <Bound price={high} place="top-1" />
          <Bound price={low} place="bottom-1" />
        </ReadAlong>
        <p aria-hidden translate="no" className="flex justify-between text-xs text-ink-3 tabular-nums">
          <span>{formatTime(first.second * 1000)}</span>
          <span>{formatTime(last.second * 1000)}</span>
        </p>
      </div>
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-2">
        {first.price !== null && (
          <LegendItem look="border-t border-dashed border-info" text={marketTexts.openingPrice} />
        )}
        {entered.length > 0 && <LegendItem look="h-2 rounded-pill bg-info" text={marketTexts.entryPrices} />}
        {hasEnd && <LegendItem look="h-2 rounded-pill bg-ink" text={marketTexts.endPrice} />}
      </p>
    </div>
  )
}

/** Splits the line wherever seconds have no known price. */
function runsOf(points: readonly RoundPoint[], placeOf: (point: RoundPoint) => string): readonly string[][] {
  const runs: string[][] = [[]]
  for (const point of points) {
    runs.at(-1)?.push(placeOf(point))
    if (point.isBroken) runs.push([])
  }
  return runs
}

function Bound({ price, place }: { readonly price: number; readonly place: 'top-1' | 'bottom-1' }) {
  return (
    <span
      translate="no"
      className={classNames(
        'absolute left-1.5 rounded-[4px] bg-surface/80 px-1 text-[0.625rem] text-ink-3 tabular-nums',
        place,
      )}
    >
      {formatGoldNumber(price)}
    </span>
  )
}

function LegendItem({ look, text }: { readonly look: string; readonly text: string }) {
  return (
    <span className="flex items-center gap-1.5">
      <span aria-hidden className={classNames('w-2', look)} />
      {text}
    </span>
  )
}

/** Draws a dot as a line of no length with round ends, because such a dot stays round although the SVG is stretched. */
function Dot(props: { readonly x: number; readonly y: number; readonly size: number; readonly look: string }) {
  const { x, y, size, look } = props
  return (
    <line
      x1={x}
      x2={x}
      y1={y}
      y2={y}
      strokeWidth={size}
      strokeLinecap="round"
      className={look}
      vectorEffect="non-scaling-stroke"
    />
  )
}
