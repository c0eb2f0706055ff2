import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { BookRates } from '#contract/book-pages.ts'
import type { RateCounts } from '#domain/book/rate-counts.ts'
import {
  formatAmount,
  formatCalendarDay,
  formatCount,
  formatShare,
  formatSignedAmount,
  formatWholeAmount,
} from '#web/platform/formats.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { FigureCard, Numbers } from '#web/ui/figure-card.tsx'
import { Fold } from '#web/ui/fold.tsx'
import { pictureTexts } from '#web/ui/picture-texts.ts'
import { Framed, Labelled, Legend, Strip, stripMarks, Strips } from '#web/ui/pictures.tsx'
import { ReadAlong } from '#web/ui/read-along.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { Pending } from '#web/ui/pending.tsx'
import { ratesQuery } from './api.ts'
import { bookTexts as texts } from './book-texts.ts'
import {
  bandOf,
  betsOf,
  intervalText,
  type RatesRow,
  type RatesRows,
  roundsOf,
  rowsOf,
  type Share,
  shareCell,
  shareOf,
  shareText,
  type SumPoint,
  sumsOf,
} from './rates-words.ts'

const { columns } = texts
const DAY_MS = 86_400_000

const lengths = { week: 7, month: 30, all: null } as const

/** The server counts the rates by UTC day. */
const utcDay = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10)

/** The measured rates of a range of days, as charts and tables (docs/open-book.md §6). */
export function MeasuredRates() {
  const [name, setName] = useState<keyof typeof lengths>('all')
  const days = lengths[name]
  const nowMs = serverNowMs()
  const query = useQuery(ratesQuery(days === null ? {} : { from: utcDay(nowMs - (days - 1) * DAY_MS) }))
  return (
    <Fold title={texts.rates} isOfCards>
      <div className="flex flex-col gap-3">
        <p className="text-sm text-ink-2">{texts.ratesLead}</p>
        <SegmentedControl
          className="print:hidden"
          label={texts.range}
          isLabelHidden
          value={name}
          onChange={setName}
          options={(['week', 'month', 'all'] as const).map((value) => ({ value, label: texts.ranges[value] }))}
        />
      </div>
      {query.data !== undefined ? (
        <div aria-busy={query.isPlaceholderData} className="flex flex-col gap-gap">
          <Figures rates={query.data} />
        </div>
      ) : (
        <Pending query={query} className="flex flex-col gap-gap" shapes={['h-72 rounded-m!', 'h-72 rounded-m!']} />
      )}
    </Fold>
  )
}

function Figures({ rates }: { readonly rates: BookRates }) {
  const rows = rowsOf(rates)
  const [all] = rows
  if (roundsOf(all.counts) + betsOf(all.counts) === 0) return <p className="text-sm text-ink-2">{texts.noRates}</p>
  return (
    <>
      <SharesFigure
        title={texts.rounds}
        rows={rows}
        head={[columns.up, columns.down, columns.tied, columns.missing]}
        partsOf={({ up, down, ties, missing }) => [up, down, ties, missing]}
        wholeOf={roundsOf}
        meaning={texts.roundsMean}
        few={texts.roundsFew}
      />
      <SharesFigure
        title={texts.bets}
        rows={rows}
        head={[columns.won, columns.lost, columns.tied, columns.voided]}
        partsOf={({ won, lost, tied, voided }) => [won, lost, tied, voided]}
        wholeOf={betsOf}
        meaning={texts.betsMean}
        few={texts.betsFew}
      />
      <SumFigure rates={rates} rows={rows} />
      <LateFigure rows={rows} />
    </>
  )
}

/** Returns a scale that is centred on one half and wide enough for every interval. */
function scaleOf(shares: readonly Share[]) {
  const reach = Math.max(
    ...shares.flatMap(({ interval }) => [interval.low, interval.high].map((at) => Math.abs(at - 0.5))),
  )
  const half = [0.02, 0.05, 0.1, 0.25, 0.5].find((width) => reach <= width) ?? 0.5
  return { low: 0.5 - half, high: 0.5 + half }
}

type SharesFigureProps = {
  readonly title: string
  readonly rows: readonly RatesRow[]
  /** The table's column heads: first the two sides that the chart compares, then the other outcomes. */
  readonly head: readonly string[]
  readonly partsOf: (counts: RateCounts) => readonly [number, number, ...number[]]
  readonly wholeOf: (counts: RateCounts) => number
  readonly meaning: (percent: string, low: string, high: string) => string
  readonly few: string
}

function SharesFigure({ title, rows, head, partsOf, wholeOf, meaning, few }: SharesFigureProps) {
  const table = (
    <Numbers
      label={title}
      head={[columns.what, ...head]}
      rows={rows.map(({ label, counts }) => [
        label,
        ...partsOf(counts).map((count) => shareCell(count, wholeOf(counts))),
      ])}
    />
  )
  const drawn = rows.flatMap(({ label, counts }) => {
    const [count, other] = partsOf(counts)
    const share = shareOf(count, count + other)
    return share === null ? [] : [{ label, share }]
  })
  const [first] = drawn
  if (first === undefined) return <FigureCard title={title} sentences={[few]} table={table} />
  const { share, interval } = first.share
  const scale = scaleOf(drawn.map((row) => row.share))
  const half = { low: 0.5, high: 0.5 }
  return (
    <FigureCard
      title={title}
      sentences={[meaning(formatShare(share), formatShare(interval.low), formatShare(interval.high))]}
      table={table}
    >
      <Strips
        rows={drawn.map(({ label, share: of }) => {
          return { label, text: shareText(of), band: half, mean: 0.5, interval: of.interval, value: of.share }
        })}
        scale={scale}
        axis={[scale.low, 0.5, scale.high].map((mark) => formatShare(mark))}
        legend={{ value: texts.measured, interval: texts.interval, mean: texts.half }}
      />
    </FigureCard>
  )
}

function SumFigure({ rates, rows }: { readonly rates: BookRates; readonly rows: RatesRows }) {
  const points = sumsOf(rates)
  const total = rows[0].counts
  if (betsOf(total) === 0) return <FigureCard title={texts.sum} sentences={[texts.betsFew]} />
  const band = bandOf(total.squares)
  const isWithin = Math.abs(total.profit) <= band
  const [first, last] = [points[0], points.at(-1)]
  const sums = points.map(({ sumMinor }) => sumMinor)
  const sumRows = points.map(({ day, sumMinor, bandMinor }) => [
    formatCalendarDay(day),
    formatSignedAmount(sumMinor),
    `±${formatAmount(bandMinor)}`,
  ])
  return (
    <FigureCard
      title={texts.sum}
      sentences={[
        texts.sumMeans(
          formatSignedAmount(BigInt(total.profit)),
          formatWholeAmount(BigInt(total.staked)),
          formatAmount(band),
        ),
        isWithin ? texts.sumWithin : texts.sumOutside,
      ]}
      table={
        <>
          <Numbers
            label={texts.sum}
            head={[columns.what, columns.staked, columns.sum, columns.band]}
            rows={rows.map(({ label, counts: of }) => [
              label,
              formatWholeAmount(BigInt(of.staked)),
              formatSignedAmount(BigInt(of.profit)),
              `±${formatAmount(bandOf(of.squares))}`,
            ])}
          />
          <Numbers
            label={texts.sumLine}
            head={[columns.day, texts.sumLine, columns.band]}
            rows={sumRows.toReversed()}
          />
        </>
      }
    >
      <Framed
        bounds={[
          pictureTexts.lowest(formatSignedAmount(extreme(sums, -1))),
          pictureTexts.highest(formatSignedAmount(extreme(sums, 1))),
        ]}
        axis={[formatCalendarDay(first?.day ?? ''), formatCalendarDay(last?.day ?? '')]}
      >
        <ReadAlong
          label={texts.sum}
          xs={() => points.map((_, at) => (at + 1) / points.length)}
          textOf={(at) => sumRows[at]?.join(' · ') ?? ''}
        >
          <SumPicture label={texts.sum} points={points} />
        </ReadAlong>
      </Framed>
      <Legend
        items={[
          { mark: stripMarks.value, text: texts.sumLine },
          { mark: stripMarks.band, text: texts.sumBand },
        ]}
      />
    </FigureCard>
  )
}

const SUM_INSET = 6

/** Draws the players' total profit as a line. By chance alone, 95 of 100 totals lie in the area behind the line. */
function SumPicture({ label, points }: { readonly label: string; readonly points: readonly SumPoint[] }) {
  const sums = [0, ...points.map(({ sumMinor }) => Number(sumMinor))]
  const bands = [0, ...points.map(({ bandMinor }) => Number(bandMinor))]
  const reach = Math.max(1, ...sums.map(Math.abs), ...bands)
  const y = (value: number) => Math.round((50 - (value / reach) * (50 - SUM_INSET)) * 100) / 100
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

const extreme = (amounts: readonly bigint[], sign: 1 | -1): bigint =>
  amounts.reduce((most, amount) => ((sign === 1 ? amount > most : amount < most) ? amount : most), 0n)

function LateFigure({ rows }: { readonly rows: RatesRows }) {
  const total = rows[0].counts
  const wins = shareOf(total.lateWon, total.lateWon + total.lateLost)
  return (
    <FigureCard
      title={texts.lateBets}
      sentences={[
        texts.lateMeans(formatCount(total.late), formatCount(betsOf(total))),
        ...(wins === null
          ? []
          : [texts.lateWins(formatShare(wins.share), formatShare(wins.interval.low), formatShare(wins.interval.high))]),
      ]}
      table={
        <Numbers
          label={texts.lateBets}
          head={[columns.what, columns.late, columns.lateWon]}
          rows={rows.map(({ label, counts: of }) => [
            label,
            formatCount(of.late),
            shareCell(of.lateWon, of.lateWon + of.lateLost),
          ])}
        />
      }
    >
      {wins !== null && (
        <Labelled label={columns.lateWon} value={shareText(wins)}>
          <Strip
            label={columns.lateWon}
            scale={{ low: 0, high: 1 }}
            band={{ low: 0.5, high: 0.5 }}
            mean={0.5}
            interval={wins.interval}
            value={wins.share}
          />
          <span className="sr-only">{intervalText(wins)}</span>
        </Labelled>
      )}
    </FigureCard>
  )
}
