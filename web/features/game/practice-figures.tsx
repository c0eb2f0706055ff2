import { profitOf, type Direction } from '#domain/game/bet.ts'
import { points } from '#domain/money.ts'
import { formatGoldChange, formatGoldPrice, formatSignedAmount } from '#web/platform/formats.ts'
import { commonTexts } from '#web/platform/texts.ts'
import { directionWords } from './bet-words.ts'
import { PRACTICE_ENTRY_SECOND, PRACTICE_EXIT_SECOND, practiceEnd, type PracticeRound } from './practice-rounds.ts'
import { practiceTexts } from './practice-texts.ts'

const stakeMinor = points(10)

/** The profit or loss of the practice's bet in minor units. Nothing of it is booked. */
export function practiceProfit(round: PracticeRound, side: Direction): bigint {
  const profitMinor = profitOf('30s', stakeMinor)
  return practiceEnd(round) === side ? profitMinor : -profitMinor
}

type FiguresProps = { readonly round: PracticeRound; readonly second: number }

export function ReplayFigures({ round: { prices }, second }: FiguresProps) {
  const entry = prices[PRACTICE_ENTRY_SECOND] ?? 0
  const price = prices[second] ?? 0
  const isOver = second === PRACTICE_EXIT_SECOND
  const arrow = price > entry ? '▲ ' : price < entry ? '▼ ' : ''
  const figures = [
    [practiceTexts.entry, formatGoldPrice(entry)],
    [isOver ? practiceTexts.exit : practiceTexts.now, formatGoldPrice(price)],
    [practiceTexts.difference, `${arrow}${formatGoldChange(price - entry)}`],
  ] as const
  return (
    <dl className="flex flex-wrap justify-between gap-x-4 gap-y-1 text-sm tabular-nums">
      {figures.map(([label, figure]) => (
        <div key={label}>
          <dt className="text-xs text-ink-3">{label}</dt>
          <dd translate="no" className="font-medium">
            {figure}
          </dd>
        </div>
      ))}
    </dl>
  )
}

type ResultProps = { readonly round: PracticeRound; readonly side: Direction }

export function PracticeResult({ round, side }: ResultProps) {
  const profitMinor = practiceProfit(round, side)
  const { label, arrow } = directionWords[side]
  const entry = formatGoldPrice(round.prices[PRACTICE_ENTRY_SECOND] ?? 0)
  const exit = formatGoldPrice(round.prices[PRACTICE_EXIT_SECOND] ?? 0)
  const { result } = practiceTexts
  return (
    <div className="flex flex-col gap-1">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="text-sm text-ink-2">{result.order(`${label} ${arrow}`)}</span>
        <span translate="no" className="text-xl font-semibold tracking-tight tabular-nums">
          <span className={profitMinor > 0n ? 'text-up' : 'text-down'}>{formatSignedAmount(profitMinor)}</span>{' '}
          <span className="text-sm font-medium text-ink-2">{commonTexts.points}</span>
        </span>
      </p>
      <p className="text-sm text-ink-2">
        {practiceEnd(round) === 'up' ? result.higher(exit, entry) : result.lower(exit, entry)}
      </p>
      <p className="text-sm font-medium">{result.nothingMoved}</p>
      <p className="text-sm text-ink-2">{result.balanced}</p>
    </div>
  )
}
