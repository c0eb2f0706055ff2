import { Bar } from '@visx/shape'
import { useId } from 'react'
import type { FiguresBucket } from '#contract/overview-figures.ts'
import { FEED_STATES, type FeedState, type Figures, stateMs, statesFigure } from './figures.ts'
import { figuresTexts as texts } from './figures-texts.ts'
import { blockMark } from './plot-card.tsx'
import { RowText } from './plot-marks.tsx'
import { Timeline } from './timeline.tsx'

const stateFills: Readonly<Record<FeedState, string>> = {
  open: 'fill-up-fill/35',
  silent: 'fill-warn',
  closed: 'fill-down-fill',
  unsure: 'fill-info',
  off: 'fill-line-strong',
}

/** The lines drawn over the colours of three states, so that states do not differ by colour alone. */
const stateLines: Partial<Record<FeedState, string>> = {
  silent: 'M-2 2L2 -2M0 8L8 0M6 10L10 6',
  unsure: 'M0 4H8',
  off: 'M-2 6L2 10M0 0L8 8M6 -2L10 2',
}

/** The heights of the feed's row and of the ledger's row beneath it, as shares of the plot's height. */
const FEED_ROW = 0.72
const LEDGER_ROW = 0.2

/** Draws two rows over time: per bucket, the states of the feed and the time for which the ledger was closed. */
export function StatesPicture({ figures }: { readonly figures: Figures }) {
  const id = useId()
  return (
    <Timeline
      figures={figures}
      figure={statesFigure(figures)}
      legend={[
        ...FEED_STATES.map((state) => ({
          mark: <StateBar id={id} state={state} x={1} y={2} width={14} height={12} />,
          text: texts[state],
        })),
        { mark: blockMark('fill-down-fill'), text: texts.ledgerClosed },
      ]}
      values={[1]}
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
          <RowText x={-8} y={height * 0.36}>
            {texts.feedRow}
          </RowText>
          <RowText x={-8} y={height * 0.9}>
            {texts.ledgerRow}
          </RowText>
          {figures.buckets.map((bucket, at) => {
            const place = { x: left(at) + 0.5, width: Math.max(1, step - 1) }
            return (
              <g key={bucket.fromMs}>
                <FeedBars id={id} bucket={bucket} place={place} height={height * FEED_ROW} />
                <LedgerBars bucket={bucket} place={place} bottom={height} height={height * LEDGER_ROW} />
              </g>
            )
          })}
        </>
      )}
    </Timeline>
  )
}

type BucketBarsProps = {
  readonly bucket: FiguresBucket
  readonly place: { readonly x: number; readonly width: number }
  readonly height: number
}

const lengthMs = ({ fromMs, toMs }: FiguresBucket): number => toMs - fromMs

/** Draws the feed's states in one bucket as a stack of bars, from the bottom up. */
function FeedBars({ id, bucket, place, height }: BucketBarsProps & { readonly id: string }) {
  const bars: Array<{ readonly state: FeedState; readonly y: number; readonly height: number }> = []
  let below = height
  for (const state of FEED_STATES) {
    const part = (stateMs(bucket, state) / lengthMs(bucket)) * height
    if (part === 0) continue
    // A bar of any state but `open` is at least 2 px high, so that even a short time is visible.
    const seen = state === 'open' ? part : Math.max(2, part)
    below = Math.max(0, below - seen)
    bars.push({ state, y: below, height: seen })
  }
  return (
    <>
      <Bar {...place} y={0} height={height} className="fill-surface-2" />
      {bars.map((bar) => (
        <StateBar key={bar.state} id={id} {...place} {...bar} />
      ))}
    </>
  )
}

function LedgerBars({ bucket, place, bottom, height }: BucketBarsProps & { readonly bottom: number }) {
  const heightOf = (ms: number) => (ms / lengthMs(bucket)) * height
  // While the feed's state was `off`, no server ran, so the ledger's state is unknown.
  const noted = heightOf(FEED_STATES.reduce((sum, of) => sum + (of === 'off' ? 0 : stateMs(bucket, of)), 0))
  const closed = heightOf(bucket.states.ledgerClosedMs)
  return (
    <>
      <Bar {...place} y={bottom - height} height={height} className="fill-surface-2" />
      <Bar {...place} y={bottom - noted} height={noted} className="fill-up-fill/35" />
      {closed > 0 && (
        <Bar {...place} y={bottom - Math.max(2, closed)} height={Math.max(2, closed)} className="fill-down-fill" />
      )}
    </>
  )
}

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
