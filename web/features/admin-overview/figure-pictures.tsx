import { Area, Bar, LinePath } from '@visx/shape'
import { useState } from 'react'
import { LyingBar } from '#web/ui/pictures.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { ByHourPicture } from './by-hour-picture.tsx'
import { durationText } from './figure-table.ts'
import {
  bandOf,
  type Figure,
  type Figures,
  netFigure,
  playersFigure,
  refusalsFigure,
  REFUSALS_DRAWN,
  replyFigure,
  requestsFigure,
  requestsIn,
  stakesFigure,
  voidsFigure,
  waitingFigure,
} from './figures.ts'
import { figuresTexts as texts } from './figures-texts.ts'
import { blockMark, PlotCard, RowName } from './plot-card.tsx'
import { PLOT_HEIGHT } from './plot-marks.tsx'
import { StatesPicture } from './states-picture.tsx'
import { type Places, type Times, timeTicks, Timeline } from './timeline.tsx'

export type PicturesProps = { readonly figures: Figures }

/** All charts of the overview (rules §6.13). This file is loaded after the rest of the page. */
export function FigurePictures({ figures }: PicturesProps) {
  const { buckets } = figures
  const staked = buckets.map(({ stakedMinor }) => drawn(stakedMinor))
  const decided = buckets.map((bucket) => requestsIn(bucket, 'approved') + requestsIn(bucket, 'rejected'))
  return (
    <>
      <NetPicture figures={figures} />
      <Timeline figures={figures} figure={stakesFigure(figures)} values={staked}>
        {(places) => <Bars places={places} values={staked} className={gold.look} />}
      </Timeline>
      <PairPicture
        figures={figures}
        figure={playersFigure(figures)}
        first={{ ...gold, values: buckets.map(({ active }) => active), text: texts.active }}
        second={{ ...blue, values: buckets.map(({ joined }) => joined), text: texts.joined }}
      />
      <ByHourPicture figures={figures} />
      <PairPicture
        figures={figures}
        figure={requestsFigure(figures)}
        first={{ ...blue, values: buckets.map((bucket) => requestsIn(bucket, 'filed')), text: texts.filed }}
        second={{ ...gold, values: decided, text: texts.decidedRequests }}
      />
      <DurationPicture
        figures={figures}
        figure={waitingFigure(figures)}
        durations={buckets.map(({ waiting }) => waiting)}
      />
      <DurationPicture
        figures={figures}
        figure={replyFigure(figures)}
        durations={buckets.map(({ firstReply }) => firstReply)}
      />
      <StatesPicture figures={figures} />
      <BarsPicture figure={voidsFigure(figures)} />
      <BarsPicture figure={refusalsFigure(figures)} />
    </>
  )
}

/** Converts minor units to points as a floating-point number, which is exact enough for a drawing. */
const drawn = (minor: bigint): number => Number(minor) / 100

type BarsProps = {
  readonly places: Places
  readonly values: readonly number[]
  readonly className: string
  /** The position of this series, from 0, in a group of `of` bars that stand side by side. */
  readonly place?: number
  readonly of?: number
}

/** Draws one series as bars that start at 0. The bars of `of` series stand side by side in each bucket. */
function Bars({ places: { left, step, y }, values, className, place = 0, of = 1 }: BarsProps) {
  const gap = Math.min(6, step * 0.2)
  const width = Math.max(1, (step - gap) / of)
  return values.map((value, at) =>
    value === 0 ? null : (
      <Bar
        // The key is the index, because a bar has no identity but its place in the series.
        // oxlint-disable-next-line react/no-array-index-key -- see above
        key={at}
        x={left(at) + gap / 2 + place * width}
        width={width}
        // A bar is at least 1.5 px high, so that a small value is visible.
        y={Math.min(y(value), y(0) - (value > 0 ? 1.5 : 0))}
        height={Math.max(1.5, Math.abs(y(value) - y(0)))}
        className={className}
      />
    ),
  )
}

type PairOf = {
  readonly values: readonly number[]
  readonly text: string
  /** The CSS classes of the bars of this series. */
  readonly look: string
}
type PairPictureProps = {
  readonly figures: Times
  readonly figure: Figure
  readonly first: PairOf
  readonly second: PairOf
}

export function PairPicture({ figures, figure, first, second }: PairPictureProps) {
  return (
    <Timeline
      figures={figures}
      figure={figure}
      legend={[first, second].map(({ look, text }) => ({ mark: blockMark(look), text }))}
      values={[...first.values, ...second.values]}
    >
      {(places) => (
        <>
          <Bars places={places} values={first.values} className={first.look} of={2} />
          <Bars places={places} values={second.values} className={second.look} place={1} of={2} />
        </>
      )}
    </Timeline>
  )
}

const gold = { look: 'fill-gold-fill stroke-gold' }
const blue = { look: 'fill-info' }
export const pairLooks = { gold, blue }

/** Draws the house's profit, summed or by bucket, in front of two bands that show which profits chance explains. */
function NetPicture({ figures }: PicturesProps) {
  const [way, setWay] = useState<'soFar' | 'each'>('soFar')
  const isSummed = way === 'soFar'
  const points = figures.buckets.map((bucket) => {
    const [net, expected, deviation] = isSummed
      ? [bucket.netSoFarMinor, bucket.expectedSoFarMinor, bucket.deviationSoFarMinor]
      : [bucket.netMinor, bucket.expectedMinor, bucket.deviationMinor]
    return {
      net: drawn(net),
      expected: drawn(expected),
      usual: bandOf(deviation, 'usual') / 100,
      rare: bandOf(deviation, 'rare') / 100,
    }
  })
  return (
    <Timeline
      figures={figures}
      figure={netFigure(figures)}
      legend={[
        { mark: marks.line, text: texts.netLine },
        { mark: marks.band, text: texts.usualBand },
        { mark: marks.far, text: texts.rareBand },
        { mark: marks.zero, text: texts.expected },
      ]}
      values={points.flatMap(({ net, expected, rare }) => [net, expected + rare, expected - rare])}
      control={
        <SegmentedControl
          label={texts.netShown}
          isLabelHidden
          look="slim"
          value={way}
          onChange={setWay}
          options={[
            { value: 'soFar', label: texts.soFar },
            { value: 'each', label: texts.each[figures.bucket] },
          ]}
        />
      }
    >
      {(places) => (isSummed ? <Summed places={places} points={points} /> : <Each places={places} points={points} />)}
    </Timeline>
  )
}

type NetPoint = {
  readonly net: number
  readonly expected: number
  /** `usual` and `rare`: half the heights of the two bands around `expected` (`BAND_DEVIATIONS`). */
  readonly usual: number
  readonly rare: number
}
type NetProps = { readonly places: Places; readonly points: readonly NetPoint[] }

const bands = [
  { width: 'rare', className: 'fill-info/15' },
  { width: 'usual', className: 'fill-info/30' },
] as const

/** Draws the house's summed profit as a line from 0 at the range's start, in front of the bands. */
function Summed({ places: { left, step, y }, points }: NetProps) {
  const ends = [{ net: 0, expected: 0, usual: 0, rare: 0 }, ...points].map((point, at) => ({
    ...point,
    x: at === 0 ? left(0) : left(at - 1) + step,
  }))
  return (
    <>
      {bands.map(({ width, className }) => (
        <Area
          key={width}
          data={ends}
          x={({ x }) => x}
          y0={(point) => y(point.expected - point[width])}
          y1={(point) => y(point.expected + point[width])}
          className={className}
        />
      ))}
      <LinePath
        data={ends}
        x={({ x }) => x}
        y={({ net }) => y(net)}
        className="fill-none stroke-gold"
        strokeWidth={2.25}
        strokeLinejoin="round"
      />
    </>
  )
}

function Each({ places, points }: NetProps) {
  const { left, step, y } = places
  return (
    <>
      {bands.map(({ width, className }) =>
        points.map((point, at) => (
          <Bar
            // The key holds the index, because a band has no identity but its place in the series.
            // oxlint-disable-next-line react/no-array-index-key -- see above
            key={`${width} ${at}`}
            x={left(at)}
            width={step}
            y={y(point.expected + point[width])}
            height={y(point.expected - point[width]) - y(point.expected + point[width])}
            className={className}
          />
        )),
      )}
      <Bars places={places} values={points.map(({ net }) => net)} className={gold.look} />
    </>
  )
}

type DurationPictureProps = {
  readonly figures: Times
  readonly figure: Figure
  /** One entry for each bucket of `figures`. */
  readonly durations: ReadonlyArray<{ readonly medianMs: number | null; readonly p90Ms: number | null }>
}

/** Draws durations per bucket: the 90th percentile as a bar, the median as a line across the bar. */
export function DurationPicture({ figures, figure, durations }: DurationPictureProps) {
  const p90 = durations.map(({ p90Ms }) => p90Ms ?? 0)
  return (
    <Timeline
      figures={figures}
      figure={figure}
      legend={[
        { mark: marks.p90, text: texts.p90Mark },
        { mark: marks.line, text: texts.medianMark },
      ]}
      values={p90}
      textOf={(ms) => (ms === 0 ? '0' : durationText(ms))}
      ticks={timeTicks}
    >
      {(places) => (
        <>
          <Bars places={places} values={p90} className="fill-info/30 stroke-info" />
          {durations.map(({ medianMs }, at) =>
            medianMs === null ? null : (
              <line
                key={figures.buckets[at]?.fromMs}
                x1={places.left(at) + 1}
                x2={places.left(at) + places.step - 1}
                y1={places.y(medianMs)}
                y2={places.y(medianMs)}
                className="stroke-gold"
                strokeWidth={2.5}
              />
            ),
          )}
        </>
      )}
    </Timeline>
  )
}

/** Draws the first `REFUSALS_DRAWN` rows of any figure as horizontal bars, each below the texts of its row. */
export function BarsPicture({ figure }: { readonly figure: Figure }) {
  const rows = figure.table.rows.slice(0, REFUSALS_DRAWN)
  const numbers = rows.map(({ cells: [first] }) => (typeof first?.csv === 'number' ? first.csv : 0))
  const most = Math.max(1, ...numbers)
  return (
    <PlotCard figure={figure}>
      <ul className="flex flex-col justify-center gap-2" style={{ minHeight: PLOT_HEIGHT }}>
        {rows.map((row, at) => (
          <li key={row.name} className="flex flex-col gap-0.5 text-sm">
            <p className="flex items-baseline justify-between gap-x-3">
              <RowName row={row} name={row.name} />
              <span className="font-medium tabular-nums">{row.cells[0]?.text}</span>
            </p>
            {row.detail !== undefined && <p className="text-xs text-ink-2">{row.detail}</p>}
            <LyingBar part={(numbers[at] ?? 0) / most} className="fill-gold-fill!" />
          </li>
        ))}
      </ul>
    </PlotCard>
  )
}

const stroke = (className: string) => <line x1="0" x2="16" y1="8" y2="8" className={className} strokeWidth={2.25} />

const marks = {
  line: stroke('stroke-gold'),
  band: blockMark('fill-info/45'),
  far: blockMark('fill-info/15'),
  zero: stroke('stroke-control'),
  p90: blockMark('fill-info/30 stroke-info'),
} as const
