import { useMemo } from 'react'
import { formatAmount, formatCount, formatShare, formatWholeAmount } from '#web/platform/formats.ts'
import { FigureCard } from '#web/ui/figure-card.tsx'
import type { FigureProps } from './figures.tsx'
import { Labelled, LyingBar, Strips } from '#web/ui/pictures.tsx'
import { statisticsTexts as texts } from './statistics-texts.ts'
import {
  averageOf,
  runsOf,
  runSentences,
  type ShareRow,
  shareRows,
  shareSentences,
  stakeSentences,
} from './statistics-words.ts'

const { columns } = texts

/** Returns a scale that is centred on one half and contains every share with its `interval` and `band`. */
function scaleOf(rows: readonly ShareRow[]) {
  const reach = Math.max(
    ...rows.flatMap(({ interval, band, share }) =>
      [interval.low, interval.high, band.low, band.high, share].map((bound) => Math.abs(bound - 0.5)),
    ),
  )
  const half = [0.1, 0.25, 0.5].find((width) => reach <= width) ?? 0.5
  return { low: 0.5 - half, high: 0.5 + half }
}

const rangeText = ({ low, high }: { readonly low: number; readonly high: number }) =>
  texts.days(formatShare(low), formatShare(high))

/**
 * Draws the share of wins with its confidence interval, and behind them `band`: the range in which the share would
 * probably lie if each bet were the toss of a fair coin.
 */
export function ShareFigure({ statistics }: FigureProps) {
  const rows = useMemo(() => shareRows(statistics), [statistics])
  const sentences = shareSentences(rows[0])
  if (rows.length === 0) return <FigureCard title={texts.share} sentences={sentences} />
  const scale = scaleOf(rows)
  const shareText = ({ share, won, decided }: ShareRow) =>
    texts.shareOf(formatShare(share), formatCount(won), formatCount(decided))
  return (
    <FigureCard
      title={texts.share}
      sentences={sentences}
      numbers={{
        head: [columns.type, columns.share, texts.interval, texts.band],
        rows: rows.map((row) => [row.label, shareText(row), rangeText(row.interval), rangeText(row.band)]),
      }}
    >
      <Strips
        rows={rows.map((row) => ({ ...row, text: shareText(row), value: row.share }))}
        scale={scale}
        axis={[scale.low, 0.5, scale.high].map((mark) => formatShare(mark))}
        legend={{ value: texts.yours, interval: texts.interval, band: texts.band }}
      />
    </FigureCard>
  )
}

export function StakesFigure({ statistics }: FigureProps) {
  const { afterLoss, afterWin } = statistics
  const rows = [
    { label: texts.afterLoss, stakes: afterLoss, averageMinor: averageOf(afterLoss) },
    { label: texts.afterWin, stakes: afterWin, averageMinor: averageOf(afterWin) },
  ]
  const most = Math.max(1, ...rows.map(({ averageMinor }) => Number(averageMinor ?? 0n)))
  const sentences = stakeSentences(statistics)
  if (rows.every(({ averageMinor }) => averageMinor === null))
    return <FigureCard title={texts.stakes} sentences={sentences} />
  return (
    <FigureCard
      title={texts.stakes}
      sentences={sentences}
      numbers={{
        head: [columns.before, columns.bets, columns.staked, columns.average],
        rows: rows.map(({ label, stakes, averageMinor }) => [
          label,
          formatCount(stakes.bets),
          formatWholeAmount(stakes.stakedMinor),
          averageMinor === null ? '–' : formatAmount(averageMinor),
        ]),
      }}
    >
      <div className="flex flex-col gap-2">
        {rows.map(({ label, averageMinor }) => (
          <Labelled
            key={label}
            label={label}
            value={averageMinor === null ? '–' : texts.average(formatAmount(averageMinor))}
          >
            <LyingBar part={Number(averageMinor ?? 0n) / most} />
          </Labelled>
        ))}
      </div>
    </FigureCard>
  )
}

export function RunsFigure({ statistics }: FigureProps) {
  const runs = useMemo(() => runsOf(statistics), [statistics])
  if (runs === null) return <FigureCard title={texts.runs} sentences={[texts.shareNone]} />
  const { chance } = runs
  const scale = { low: 0, high: Math.max(chance.high, runs.wins, runs.losses) + 1 }
  const rows = [
    { label: texts.wins, length: runs.wins },
    { label: texts.losses, length: runs.losses },
  ]
  return (
    <FigureCard
      title={texts.runs}
      sentences={runSentences(runs)}
      numbers={{
        head: [columns.outcome, texts.yours, texts.mean, texts.band],
        rows: rows.map(({ label, length }) => [
          label,
          formatCount(length),
          chance.expected.toFixed(1),
          texts.days(formatCount(chance.low), formatCount(chance.high)),
        ]),
      }}
    >
      <Strips
        rows={rows.map(({ label, length }) => {
          return { label, text: formatCount(length), band: chance, mean: chance.expected, value: length }
        })}
        scale={scale}
        axis={[formatCount(scale.low), formatCount(scale.high)]}
        legend={{ value: texts.yours, mean: texts.mean, band: texts.band }}
      />
    </FigureCard>
  )
}
