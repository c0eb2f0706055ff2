import { Area, Bar, LinePath } from '@visx/shape'
import { useId, useState } from 'react'
import { ROUND_TYPES } from '#domain/game/calendar.ts'
import { formatCount } from '#web/platform/formats.ts'
import { LyingBar } from '#web/ui/pictures.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { durationText, scaleText } from './figure-table.ts'
import {
  axisText,
  bandOf,
  byHourFigure,
  FEED_STATES,
  type FeedState,
  type Figure,
  type Figures,
  HOURS,
  netFigure,
  playersFigure,
  refusalsFigure,
  REFUSALS_DRAWN,
  replyFigure,
  requestsFigure,
  requestsIn,
  stakesFigure,
  stateMs,
  statesFigure,
  voidsFigure,
  waitingFigure,
} from './figures.ts'
import { figuresTexts as texts } from './figures-texts.ts'
import { PlotCard, RowName, type Swatch } from './plot-card.tsx'
import { PlotMarks, useWidth } from './plot-marks.tsx'
import { type Places, PLOT_HEIGHT, timeTicks, Timeline } from './timeline.tsx'

export type PicturesProps = { readonly figures: Figures }

/** All pictures of the overview. This file and what it imports is loaded after the rest of the page. */
export function FigurePictures({ figures }: PicturesProps) {
  return (
    <>
      <NetPicture figures={figures} />
      <StakesPicture figures={figures} />
      <PlayersPicture figures={figures} />
      <ByHourPicture figures={figures} />
      <RequestsPicture figures={figures} />
      <DurationPicture figures={figures} figure={waitingFigure(figures)} what="waiting" />
      <DurationPicture figures={figures} figure={replyFigure(figures)} what="firstReply" />
      <StatesPicture figures={figures} />
      <BarsPicture figure={voidsFigure(figures)} />
      <BarsPicture figure={refusalsFigure(figures)} />
    </>
  )
}

/** Points as numbers, for drawing alone. */
const drawn = (minor: bigint): number => Number(minor) / 100

const axisOf = ({ bucket: kind, buckets }: Figures) => buckets.map(({ fromMs }) => axisText(kind, fromMs))

type BarsProps = {
  readonly places: Places
  readonly values: readonly number[]
  readonly className: string
  /** Which of so many bars beside each other. */
  readonly place?: number
  readonly of?: number
}

/** Bars from 0, those of several series beside each other. */
function Bars({ places: { left, step, y }, values, className, place = 0, of = 1 }: BarsProps) {
  const gap = Math.min(6, step * 0.2)
  const width = Math.max(1, (step - gap) / of)
  return values.map((value, at) =>
    value === 0 ? null : (
      <Bar
        // A bar is its place.
        // oxlint-disable-next-line react/no-array-index-key -- see above
        key={at}
        x={left(at) + gap / 2 + place * width}
        width={width}
        // A small value is still seen.
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
  /** The classes of its bars. */
  readonly look: string
}
type PairPictureProps = PicturesProps & { readonly figure: Figure; readonly first: PairOf; readonly second: PairOf }

/** Two numbers of each time, as bars beside each other. */
function PairPicture({ figures, figure, first, second }: PairPictureProps) {
  return (
    <PlotCard
      figure={figure}
      legend={[
        { mark: block(first.look), text: first.text },
        { mark: block(second.look), text: second.text },
      ]}
    >
      <Timeline
        label={figure.title}
        table={figure.table}
        axis={axisOf(figures)}
        values={[...first.values, ...second.values]}
        scaleText={scaleText}
      >
        {(places) => (
          <>
            <Bars places={places} values={first.values} className={first.look} of={2} />
            <Bars places={places} values={second.values} className={second.look} place={1} of={2} />
          </>
        )}
      </Timeline>
    </PlotCard>
  )
}

const gold = { look: 'fill-gold-fill stroke-gold' }
const blue = { look: 'fill-info' }

function PlayersPicture({ figures }: PicturesProps) {
  const { buckets } = figures
  return (
    <PairPicture
      figures={figures}
      figure={playersFigure(figures)}
      first={{ ...gold, values: buckets.map(({ active }) => active), text: texts.active }}
      second={{ ...blue, values: buckets.map(({ joined }) => joined), text: texts.joined }}
    />
  )
}

function StakesPicture({ figures }: PicturesProps) {
  const figure = stakesFigure(figures)
  const staked = figures.buckets.map(({ stakedMinor }) => drawn(stakedMinor))
  return (
    <PlotCard figure={figure}>
      <Timeline label={figure.title} table={figure.table} axis={axisOf(figures)} values={staked} scaleText={scaleText}>
        {(places) => <Bars places={places} values={staked} className="fill-gold-fill stroke-gold" />}
      </Timeline>
    </PlotCard>
  )
}

const netLegend = (): readonly Swatch[] => [
  { mark: marks.line, text: texts.netLine },
  { mark: marks.band, text: texts.usualBand },
  { mark: marks.far, text: texts.rareBand },
  { mark: marks.zero, text: texts.expected },
]

/** What the house won, over the band that chance gives: summed from the range's beginning, or by bucket. */
function NetPicture({ figures }: PicturesProps) {
  const [way, setWay] = useState<'soFar' | 'each'>('soFar')
  const figure = netFigure(figures)
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
    <PlotCard
      figure={figure}
      legend={netLegend()}
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
      <Timeline
        label={figure.title}
        table={figure.table}
        axis={axisOf(figures)}
        values={points.flatMap(({ net, expected, rare }) => [net, expected + rare, expected - rare])}
        scaleText={scaleText}
      >
        {(places) => (isSummed ? <Summed places={places} points={points} /> : <Each places={places} points={points} />)}
      </Timeline>
    </PlotCard>
  )
}

type NetPoint = {
  readonly net: number
  readonly expected: number
  /** Half the widths of the two bands. */
  readonly usual: number
  readonly rare: number
}
type NetProps = { readonly places: Places; readonly points: readonly NetPoint[] }

const bands = [
  { width: 'rare', className: 'fill-info/15' },
  { width: 'usual', className: 'fill-info/30' },
] as const

/** The sum stands at each bucket's end, from nothing at the range's beginning. */
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
            // A band is its place.
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
      <Bars places={places} values={points.map(({ net }) => net)} className="fill-gold-fill stroke-gold" />
    </>
  )
}

function RequestsPicture({ figures }: PicturesProps) {
  const { buckets } = figures
  const decided = buckets.map((bucket) => requestsIn(bucket, 'approved') + requestsIn(bucket, 'rejected'))
  return (
    <PairPicture
      figures={figures}
      figure={requestsFigure(figures)}
      first={{ ...blue, values: buckets.map((bucket) => requestsIn(bucket, 'filed')), text: texts.filed }}
      second={{ ...gold, values: decided, text: texts.decidedRequests }}
    />
  )
}

type DurationPictureProps = PicturesProps & { readonly figure: Figure; readonly what: 'waiting' | 'firstReply' }

/** How long something took: nine of ten as a bar, one half as a line across it. */
function DurationPicture({ figures, figure, what }: DurationPictureProps) {
  const p90 = figures.buckets.map((bucket) => bucket[what].p90Ms ?? 0)
  return (
    <PlotCard
      figure={figure}
      legend={[
        { mark: marks.p90, text: texts.p90Mark },
        { mark: marks.line, text: texts.medianMark },
      ]}
    >
      <Timeline
        label={figure.title}
        table={figure.table}
        axis={axisOf(figures)}
        values={p90}
        scaleText={(ms) => (ms === 0 ? '0' : durationText(ms))}
        ticks={timeTicks}
      >
        {(places) => (
          <>
            <Bars places={places} values={p90} className="fill-info/30 stroke-info" />
            {figures.buckets.map(({ fromMs, [what]: { medianMs } }, at) =>
              medianMs === null ? null : (
                <line
                  key={fromMs}
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
    </PlotCard>
  )
}

/** Shades of the heat map: none, then four of one colour, from a quarter of the most bets to all of them. */
const shades = [
  'fill-surface-2',
  'fill-gold-fill/20',
  'fill-gold-fill/45',
  'fill-gold-fill/70',
  'fill-gold-fill',
] as const

function ByHourPicture({ figures }: PicturesProps) {
  const figure = byHourFigure(figures)
  const { ref, width, rem } = useWidth()
  const margin = { left: 2.75 * rem, bottom: 1.6 * rem }
  const cell = {
    width: (width - margin.left) / HOURS.length,
    height: (PLOT_HEIGHT - margin.bottom) / ROUND_TYPES.length,
  }
  const bets = ROUND_TYPES.map((type) =>
    HOURS.map((hour) => figures.byHour.find((pair) => pair.type === type && pair.hour === hour)?.bets ?? 0),
  )
  const most = Math.max(1, ...bets.flat())
  const shadeOf = (value: number) => shades[Math.ceil((value / most) * (shades.length - 1))] ?? shades[0]
  const marked = cell.width * 3 >= 2.6 * rem ? 3 : 6
  return (
    <PlotCard
      figure={figure}
      legend={[
        { mark: block(`${shades[0]} stroke-line`), text: texts.noBets },
        ...(most > 1 ? [{ mark: block(shades[1]), text: texts.few }] : []),
        { mark: block(shades[4]), text: texts.many(formatCount(most)) },
      ]}
    >
      <div ref={ref}>
        <PlotMarks
          label={figure.title}
          table={figure.table}
          width={width}
          height={PLOT_HEIGHT}
          columns={HOURS.length}
          boxOf={(at) => ({
            left: margin.left + (at % HOURS.length) * cell.width,
            top: Math.floor(at / HOURS.length) * cell.height,
            ...cell,
          })}
          markAt={(x, y) => {
            const [column, row] = [Math.floor((x - margin.left) / cell.width), Math.floor(y / cell.height)]
            const isInside = column >= 0 && column < HOURS.length && row >= 0 && row < ROUND_TYPES.length
            return isInside ? row * HOURS.length + column : null
          }}
        >
          <svg
            role="img"
            aria-label={figure.title}
            width={width}
            height={PLOT_HEIGHT}
            className="block overflow-visible"
          >
            {ROUND_TYPES.map((type, row) => (
              <g key={type} transform={`translate(${margin.left} ${row * cell.height})`}>
                <text x={-8} y={cell.height / 2} dy="0.32em" textAnchor="end" className="fill-ink-3 text-xs">
                  {type}
                </text>
                {HOURS.map((hour) => (
                  <Bar
                    key={hour}
                    x={hour * cell.width + 0.75}
                    y={0.75}
                    width={Math.max(1, cell.width - 1.5)}
                    height={cell.height - 1.5}
                    rx={2}
                    className={shadeOf(bets[row]?.[hour] ?? 0)}
                  />
                ))}
              </g>
            ))}
            {HOURS.filter((hour) => hour % marked === 0).map((hour) => (
              <text
                key={hour}
                x={margin.left + (hour + 0.5) * cell.width}
                y={PLOT_HEIGHT - margin.bottom + 1.2 * rem}
                textAnchor="middle"
                className="fill-ink-3 text-xs tabular-nums"
              >
                {hour}
              </text>
            ))}
          </svg>
        </PlotMarks>
      </div>
    </PlotCard>
  )
}

/** Lying bars, with their names and figures beside: voids by reason, refusals by code. */
function BarsPicture({ figure }: { readonly figure: Figure }) {
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

const stateFills: Readonly<Record<FeedState, string>> = {
  open: 'fill-up-fill/35',
  silent: 'fill-warn',
  closed: 'fill-down-fill',
  unsure: 'fill-info',
  off: 'fill-line-strong',
}

/** Lines over a colour, so that states differ without it, too. */
const stateLines: Partial<Record<FeedState, string>> = {
  silent: 'M-2 2L2 -2M0 8L8 0M6 10L10 6',
  unsure: 'M0 4H8',
  off: 'M-2 6L2 10M0 0L8 8M6 -2L10 2',
}

/** Two rows over time: how the feed was, as parts of each bucket, and for which part of it the ledger was closed. */
function StatesPicture({ figures }: PicturesProps) {
  const id = useId()
  const figure = statesFigure(figures)
  const legend = FEED_STATES.map((state) => ({
    mark: <StateBar id={id} state={state} x={1} y={2} width={14} height={12} />,
    text: texts[state],
  }))
  return (
    <PlotCard
      figure={figure}
      legend={[
        ...legend,
        { mark: <rect x="1" y="2" width="14" height="12" className="fill-down-fill" />, text: texts.ledgerClosed },
      ]}
    >
      <Timeline
        label={figure.title}
        table={figure.table}
        axis={axisOf(figures)}
        values={[1]}
        scaleText={scaleText}
        ticks={() => []}
      >
        {({ left, step, height }) => (
          <>
            <defs>
              {Object.entries(stateLines).map(([state, path]) => (
                <pattern key={state} id={`${id}${state}`} width="8" height="8" patternUnits="userSpaceOnUse">
                  <path d={path} className="fill-none stroke-surface" strokeWidth={2} />
                </pattern>
              ))}
            </defs>
            <StripName y={height * 0.36}>{texts.feedRow}</StripName>
            <StripName y={height * 0.9}>{texts.ledgerRow}</StripName>
            {figures.buckets.map((bucket, at) => {
              const whole = bucket.toMs - bucket.fromMs
              const place = { x: left(at) + 0.5, width: Math.max(1, step - 1) }
              const feedHeight = height * 0.72
              let below = feedHeight
              const ledgerHeight = height * 0.2
              const ledger = (bucket.states.ledgerClosedMs / whole) * ledgerHeight
              // Nobody knows of the ledger while no server ran.
              const notedMs = FEED_STATES.reduce((sum, of) => sum + (of === 'off' ? 0 : stateMs(bucket, of)), 0)
              const noted = (notedMs / whole) * ledgerHeight
              return (
                <g key={bucket.fromMs}>
                  <Bar {...place} y={0} height={feedHeight} className="fill-surface-2" />
                  {FEED_STATES.map((state) => {
                    const part = (stateMs(bucket, state) / whole) * feedHeight
                    if (part === 0) return null
                    // A short time is still seen.
                    const seen = state === 'open' ? part : Math.max(2, part)
                    below = Math.max(0, below - seen)
                    return <StateBar key={state} id={id} state={state} {...place} y={below} height={seen} />
                  })}
                  <Bar {...place} y={height - ledgerHeight} height={ledgerHeight} className="fill-surface-2" />
                  <Bar {...place} y={height - noted} height={noted} className="fill-up-fill/35" />
                  {ledger > 0 && (
                    <Bar
                      {...place}
                      y={height - Math.max(2, ledger)}
                      height={Math.max(2, ledger)}
                      className="fill-down-fill"
                    />
                  )}
                </g>
              )
            })}
          </>
        )}
      </Timeline>
    </PlotCard>
  )
}

const StripName = ({ y, children }: { readonly y: number; readonly children: string }) => (
  <text x={-8} y={y} dy="0.32em" textAnchor="end" className="fill-ink-3 text-xs">
    {children}
  </text>
)

type StateBarProps = {
  readonly id: string
  readonly state: FeedState
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

function StateBar({ id, state, ...box }: StateBarProps) {
  return (
    <>
      <Bar {...box} className={stateFills[state]} />
      {stateLines[state] !== undefined && <Bar {...box} fill={`url(#${id}${state})`} />}
    </>
  )
}

const block = (className: string) => <rect x="1" y="2" width="14" height="12" className={className} />
const stroke = (className: string) => <line x1="0" x2="16" y1="8" y2="8" className={className} strokeWidth={2.25} />

/** The marks of the legends. */
const marks = {
  line: stroke('stroke-gold'),
  band: block('fill-info/45'),
  far: block('fill-info/15'),
  zero: stroke('stroke-control'),
  p90: block('fill-info/30 stroke-info'),
} as const
