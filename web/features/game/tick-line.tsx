import { betsTexts } from './bets-texts.ts'
import { type AuditTick, linePoints } from './own-bets-words.ts'

const width = 320
const height = 120
const inset = 6

/**
 * The prices of a bet as a line, with dots for entry and exit and a dashed line at the entry price. The table beneath
 * holds the same data, so the drawing is hidden from assistive technology.
 */
export function TickLine({ ticks }: { readonly ticks: readonly AuditTick[] }) {
  const { runs, place } = linePoints(ticks, width, height)
  const at = (mark: AuditTick['mark']) => {
    const tick = ticks.find((one) => one.mark === mark)
    return tick === undefined || tick.price === null ? null : place(tick.second, tick.price)
  }
  const entry = at('entry')
  const exit = at('exit')
  return (
    <figure className="flex flex-col gap-2">
      <svg
        aria-hidden
        viewBox={`${-inset} ${-inset} ${width + 2 * inset} ${height + 2 * inset}`}
        className="w-full rounded-s border border-line bg-surface-2"
      >
        {entry !== null && (
          <line
            x1={0}
            x2={width}
            y1={entry.y}
            y2={entry.y}
            strokeDasharray="4 4"
            className="stroke-info"
            strokeWidth={1}
            vectorEffect="non-scaling-stroke"
          />
        )}
        {runs.map((points) => (
          <polyline
            key={points}
            points={points}
            fill="none"
            className="stroke-gold"
            strokeWidth={1.6}
            strokeLinejoin="round"
            strokeLinecap="round"
            vectorEffect="non-scaling-stroke"
          />
        ))}
        {entry !== null && <circle cx={entry.x} cy={entry.y} r={4.5} className="fill-info" />}
        {exit !== null && <circle cx={exit.x} cy={exit.y} r={4.5} className="fill-ink" />}
      </svg>
      <figcaption className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-xs text-ink-3">
        {betsTexts.chart}
        <span className="flex gap-3 text-ink-2">
          <span className="flex items-center gap-1.5">
            <span aria-hidden className="size-2 rounded-pill bg-info" />
            {betsTexts.entryMark}
          </span>
          <span className="flex items-center gap-1.5">
            <span aria-hidden className="size-2 rounded-pill bg-ink" />
            {betsTexts.exitMark}
          </span>
        </span>
      </figcaption>
    </figure>
  )
}
