import type { Direction } from '#domain/game/bet.ts'
import { formatDate, formatTime } from '#web/platform/formats.ts'
import { ReadAlong, timedPrice } from '#web/ui/read-along.tsx'
import { PRACTICE_ENTRY_SECOND, PRACTICE_EXIT_SECOND, type PracticeRound } from './practice-rounds.ts'
import { practiceTexts } from './practice-texts.ts'

const width = 320
const height = 112
const inset = 10
const x = (at: number) => (at / PRACTICE_EXIT_SECOND) * width

export type PracticeChartProps = {
  readonly round: PracticeRound
  readonly second: number
  /** The chosen side, or null before the choice. */
  readonly side: Direction | null
}

/** Draws a recorded round up to `second`. The tint between entry price and line tells whether the chosen side leads. */
export function PracticeChart({ round, second, side }: PracticeChartProps) {
  const { opensAtMs, prices } = round
  // The scale covers the whole round, so that the scale does not change while the line grows.
  const [low, high] = [Math.min(...prices), Math.max(...prices)]
  const y = (price: number) => height - ((price - low) / (high - low)) * height
  const drawn = prices.slice(0, second + 1)
  const pointsOf = (from: number) =>
    drawn.slice(from).map((price, nth) => `${x(from + nth).toFixed(1)},${y(price).toFixed(1)}`)
  const entryY = y(prices[PRACTICE_ENTRY_SECOND] ?? low)
  const last = prices[second] ?? low
  const isAhead = last > (prices[PRACTICE_ENTRY_SECOND] ?? low) === (side === 'up')
  return (
    <figure className="flex shrink-0 flex-col gap-1">
      <ReadAlong
        label={practiceTexts.chart(formatDate(opensAtMs))}
        xs={() => drawn.map((_, at) => (x(at) + inset) / (width + 2 * inset))}
        textOf={(at) => timedPrice({ second: opensAtMs / 1000 + at, price: drawn[at] ?? low })}
        yOf={(at) => (y(drawn[at] ?? low) + inset) / (height + 2 * inset)}
      >
        <svg
          aria-hidden
          viewBox={`${-inset} ${-inset} ${width + 2 * inset} ${height + 2 * inset}`}
          className="w-full rounded-s border border-line bg-surface-2"
        >
          <line
            x1={width}
            x2={width}
            y1={-inset}
            y2={height + inset}
            className="stroke-line-strong"
            strokeWidth={1.5}
          />
          {side !== null && (
            <HeldSide line={pointsOf(PRACTICE_ENTRY_SECOND)} toX={x(second)} entryY={entryY} isAhead={isAhead} />
          )}
          <polyline
            points={pointsOf(0).join(' ')}
            fill="none"
            className="stroke-gold"
            strokeWidth={1.8}
            strokeLinejoin="round"
            strokeLinecap="round"
          />
          {side !== null && <circle cx={x(PRACTICE_ENTRY_SECOND)} cy={entryY} r={4} className="fill-info" />}
          <circle cx={x(second)} cy={y(last)} r={4} className={side === null ? 'fill-gold' : 'fill-ink'} />
        </svg>
      </ReadAlong>
      <p aria-hidden className="flex justify-between text-xs text-ink-3 tabular-nums">
        <span>
          {formatTime(opensAtMs)} {practiceTexts.startsAt}
        </span>
        <span>
          {practiceTexts.endsAt} {formatTime(opensAtMs + PRACTICE_EXIT_SECOND * 1000)}
        </span>
      </p>
      <figcaption className="text-xs text-ink-3">{practiceTexts.chart(formatDate(opensAtMs))}</figcaption>
    </figure>
  )
}

type HeldSideProps = {
  readonly line: readonly string[]
  readonly toX: number
  readonly entryY: number
  readonly isAhead: boolean
}

function HeldSide({ line, toX, entryY, isAhead }: HeldSideProps) {
  const fromX = x(PRACTICE_ENTRY_SECOND)
  return (
    <>
      <polygon
        points={[`${fromX},${entryY}`, ...line, `${toX},${entryY}`].join(' ')}
        className={isAhead ? 'fill-up-soft' : 'fill-down-soft'}
      />
      <line
        x1={fromX}
        x2={width}
        y1={entryY}
        y2={entryY}
        strokeDasharray="4 4"
        className="stroke-info"
        strokeWidth={1.2}
      />
    </>
  )
}
