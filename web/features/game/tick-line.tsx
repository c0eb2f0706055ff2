import { formatGoldPrice, formatTime } from '#web/platform/formats.ts'
import { PriceRun, ReadAlong, timedPrice } from '#web/ui/read-along.tsx'
import type { GameBet } from './api.ts'
import { betsTexts } from './bets-texts.ts'
import { type AuditTick, linePoints } from './own-bets-words.ts'

const width = 320
const height = 120
const inset = 6

/** Draws the prices of a bet. For a won or lost bet, the area between entry and exit has the colour of the result. */
export function TickLine({ bet, ticks }: { readonly bet: GameBet; readonly ticks: readonly AuditTick[] }) {
  const { runs, place } = linePoints(ticks, width, height)
  const at = (mark: AuditTick['mark']) => {
    const tick = ticks.find((one) => one.mark === mark)
    return tick === undefined || tick.price === null ? null : place(tick.second, tick.price)
  }
  const entry = at('entry')
  const exit = at('exit')
  const held = ticks.slice(ticks.findIndex(({ mark }) => mark === 'entry'))
  const ends = [timeOf(ticks[0], bet.createdAtMs), timeOf(ticks.at(-1), bet.closesAtMs)] as const
  const edge = held.flatMap(({ second, price }) => (price === null ? [] : [place(second, price)]))
  const priced = ticks.flatMap(({ second, price }) =>
    price === null ? [] : [{ second, price, ...place(second, price) }],
  )
  return (
    <figure className="flex flex-col gap-2">
      <ReadAlong
        label={betsTexts.chart(...ends)}
        xs={() => priced.map(({ x }) => (x + inset) / (width + 2 * inset))}
        textOf={(at) => timedPrice(priced[at])}
        yOf={(at) => ((priced[at]?.y ?? 0) + inset) / (height + 2 * inset)}
      >
        <svg
          aria-hidden
          viewBox={`${-inset} ${-inset} ${width + 2 * inset} ${height + 2 * inset}`}
          className="w-full rounded-s border border-line bg-surface-2"
        >
          {entry !== null && exit !== null && (bet.status === 'won' || bet.status === 'lost') && (
            <polygon
              points={[...edge, { ...entry, x: exit.x }, entry].map(({ x, y }) => `${x},${y}`).join(' ')}
              className={bet.status === 'won' ? 'fill-up-soft' : 'fill-down-soft'}
            />
          )}
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
            <PriceRun key={points} points={points} cap="round" />
          ))}
          {entry !== null && <circle cx={entry.x} cy={entry.y} r={4.5} className="fill-info" />}
          {exit !== null && <circle cx={exit.x} cy={exit.y} r={4.5} className="fill-ink" />}
        </svg>
      </ReadAlong>
      <figcaption className="flex flex-col gap-1 text-xs text-ink-3 tabular-nums">
        <span className="flex flex-wrap justify-between gap-x-3 text-ink-2">
          <End dot="bg-info" name={betsTexts.entryMark} price={bet.entryPrice} />
          <End dot="bg-ink" name={betsTexts.exitMark} price={bet.exitPrice} />
        </span>
        {betsTexts.chart(...ends)}
      </figcaption>
    </figure>
  )
}

const timeOf = (tick: AuditTick | undefined, otherMs: number) =>
  formatTime(tick === undefined ? otherMs : tick.second * 1000)

function End({ dot, name, price }: { readonly dot: string; readonly name: string; readonly price: number | null }) {
  return (
    <span className="flex items-center gap-1.5">
      <span aria-hidden className={`size-2 rounded-pill ${dot}`} />
      {name}
      <span translate="no" className="font-medium text-ink">
        {price === null ? '–' : formatGoldPrice(price)}
      </span>
    </span>
  )
}
