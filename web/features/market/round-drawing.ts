import { type BaselineData, BaselineSeries, type IChartApi, type ISeriesApi, LineSeries } from 'lightweight-charts'
import { onLivePrice, recordedTicks } from '#web/platform/live-prices.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { together } from '#web/platform/signal.ts'
import { onThemeChanged } from '#web/platform/theme.ts'
import { onEachSecond } from '#web/platform/ticker.ts'
import { chartLooks, createEmptyChart, layer, readColour, toChartTime, toDollars, writePrice } from './chart-base.ts'
import {
  type ChartBet,
  type ChartRound,
  nowSecondOf,
  pointsOf,
  priceSpan,
  type RoundPicture,
  type RoundPoint,
  secondsOf,
  ticksOf,
  tintsOf,
} from './live-round.ts'
import { drawRoundMarks, drawTimes, type RoundMarks } from './round-marks.ts'
import { createScaleLabels, scaleLabel } from './scale-labels.ts'

export type RoundDrawing = ReturnType<typeof createRoundDrawing>

/** Margins in px. They leave room for half a dot and for the line at the round's end. */
const sideRoom = 8
const verticalRoom = 10

const lineOptions = {
  lineWidth: 2,
  priceFormat: { type: 'custom', formatter: writePrice, minMove: 0.001 },
  priceLineVisible: false,
  lastValueVisible: false,
} as const

type Line = ISeriesApi<'Baseline'>

/** Draws a round on a time axis that is fixed from the round's opening to its end. */
// oxlint-disable-next-line max-lines-per-function -- parts over one state (decision 036)
export function createRoundDrawing(host: HTMLElement) {
  let picture: RoundPicture | null = null
  let drawn: readonly RoundPoint[] = []
  let marks: RoundMarks | null = null
  let frame: number | undefined

  const labels = createScaleLabels()
  const chart = createEmptyChart(host, {
    localization: { tickmarksPriceFormatter: labels.tickmarksPriceFormatter },
    handleScroll: false,
    handleScale: false,
    timeScale: { secondsVisible: true, shiftVisibleRangeOnNewBar: false, tickMarkFormatter: () => '' },
  })
  chart.priceScale('right').applyOptions({ scaleMargins: { top: 0, bottom: 0 } })
  // This invisible series has all seconds of the round, without prices, and so fixes the time axis.
  const axis = chart.addSeries(LineSeries, { visible: false, lastValueVisible: false, priceLineVisible: false })
  const line = chart.addSeries(BaselineSeries, {
    ...lineOptions,
    autoscaleInfoProvider: () => autoscale(drawn, marks?.entry?.price ?? marks?.open ?? null),
  })
  labels.attachTo(line)
  const views = [layer((context, size) => marks && drawRoundMarks({ context, size, chart, line }, marks))]
  const times = [layer((context, size) => picture !== null && drawTimes({ context, size, chart, line }, picture.round))]
  line.attachPrimitive({ paneViews: () => views, timeAxisPaneViews: () => times })

  const paint = () => {
    frame = undefined
    if (picture === null) return
    const { round, fetched } = picture
    const before = drawn
    drawn = pointsOf(ticksOf(round, fetched, recordedTicks(round.source)))
    marks = marksOf(picture, drawn.at(-1))
    labels.show(labelsOf(marks))
    drawLine(line, before, drawn, marks.entry?.second ?? null)
  }
  const schedule = () => {
    frame ??= requestAnimationFrame(paint)
  }
  const fit = () => picture !== null && fitAxis(chart, picture.round)

  chart.timeScale().subscribeSizeChange(fit)
  const stop = together(
    onLivePrice(({ source }) => source === picture?.round.source && schedule()),
    // Without ticks, the line "now" moves on by the clock.
    onEachSecond((nowMs) => Math.floor(nowMs / 1000) > (drawn.at(-1)?.second ?? 0) + 1 && schedule()),
    onThemeChanged(() => {
      chart.applyOptions(chartLooks())
      if (picture !== null) dress(line, picture.bet)
      drawn = []
      schedule()
    }),
  )
  return {
    /** `points` returns the drawn points, `xs` the places of these points as shares of the width. */
    points: () => drawn,
    xs: () =>
      drawn.map(({ second }) => (chart.timeScale().timeToCoordinate(toChartTime(second)) ?? 0) / host.clientWidth),
    /** Puts the crosshair on a point. Null removes the crosshair. */
    read: (at: number | null) => {
      const point = at === null ? undefined : drawn[at]
      if (point === undefined) chart.clearCrosshairPosition()
      else chart.setCrosshairPosition(toDollars(point.price), toChartTime(point.second), line)
    },
    show: (next: RoundPicture) => {
      const isOther = next.round.id !== picture?.round.id
      picture = next
      if (isOther) axis.setData(axisOf(next.round))
      if (isOther) fit()
      dress(line, next.bet)
      drawn = []
      paint()
    },
    remove: () => {
      stop()
      if (frame !== undefined) cancelAnimationFrame(frame)
      chart.remove()
    },
  }
}

const marksOf = ({ round, bet, isByPrice }: RoundPicture, newest: RoundPoint | undefined): RoundMarks => ({
  endSecond: secondsOf(round)[1],
  nowSecond: nowSecondOf(round, newest, serverNowMs()),
  newest: newest ?? null,
  entry: entryOf(bet),
  open: bet === null && isByPrice ? round.openPrice : null,
  exitPrice: bet?.exitPrice ?? null,
})

const entryOf = (bet: ChartBet | null): RoundMarks['entry'] =>
  bet === null || bet.entryPrice === null || bet.entrySecond === null
    ? null
    : { second: bet.entrySecond, price: bet.entryPrice, direction: bet.direction }

function axisOf(round: ChartRound) {
  const [first, last] = secondsOf(round)
  return Array.from({ length: last - first + 1 }, (_, index) => ({ time: toChartTime(first + index) }))
}

function fitAxis(chart: IChartApi, round: ChartRound): void {
  const [first, last] = secondsOf(round)
  const count = last - first
  const width = chart.timeScale().width()
  if (width <= 2 * sideRoom) return
  const room = (sideRoom * count) / (width - 2 * sideRoom)
  chart.timeScale().setVisibleLogicalRange({ from: -room, to: count + room })
}

const clear = 'transparent'

/** Sets the colours of the line and of the areas above and below the entry price, and that price itself. */
function dress(line: Line, bet: ChartBet | null): void {
  const gold = readColour('gold')
  const { above, below } = tintsOf(bet ?? { direction: 'up' })
  const tint = (way: 'up' | 'down') => readColour(`${way}-soft`)
  const entry = entryOf(bet)
  line.applyOptions({
    topLineColor: gold,
    bottomLineColor: gold,
    topFillColor1: tint(above),
    topFillColor2: tint(above),
    bottomFillColor1: tint(below),
    bottomFillColor2: tint(below),
    ...(entry !== null && { baseValue: { type: 'price', price: toDollars(entry.price) } }),
  })
}

/** Updates only the newest point if no other point has changed, since setting the whole line costs more. */
function drawLine(
  line: Line,
  before: readonly RoundPoint[],
  now: readonly RoundPoint[],
  entrySecond: number | null,
): void {
  const newest = now.at(-1)
  const isOneMore =
    before.length > 0 &&
    now.length - before.length <= 1 &&
    before.every(({ second, isBroken }, at) => now[at]?.second === second && now[at].isBroken === isBroken)
  if (!isOneMore) line.setData(now.map((point) => toBar(point, entrySecond)))
  else if (newest !== undefined) line.update(toBar(newest, entrySecond))
}

/** A point's colours apply to the line from this point to the next one. */
function toBar({ second, price, isBroken }: RoundPoint, entrySecond: number | null): BaselineData {
  const isPlain = isBroken || entrySecond === null || second < entrySecond
  return {
    time: toChartTime(second),
    value: toDollars(price),
    ...(isPlain && { topFillColor1: clear, topFillColor2: clear, bottomFillColor1: clear, bottomFillColor2: clear }),
    ...(isBroken && { topLineColor: clear, bottomLineColor: clear }),
  }
}

function autoscale(points: readonly RoundPoint[], base: number | null) {
  const span = priceSpan(points, base)
  if (span === null) return null
  return {
    priceRange: { minValue: toDollars(span[0]), maxValue: toDollars(span[1]) },
    margins: { above: verticalRoom, below: verticalRoom },
  }
}

/** Returns the labels, most important first: exit price or else newest price, entry price, opening price. */
function labelsOf({ newest, entry, open, exitPrice }: RoundMarks) {
  const label = (price: number | undefined | null, fill: string, ink = 'surface') =>
    scaleLabel(price == null ? null : toDollars(price), fill, ink)
  return [
    ...(exitPrice === null ? label(newest?.price, 'gold-fill', 'on-gold') : label(exitPrice, 'ink')),
    ...label(entry?.price, 'info'),
    ...label(open, 'ink-3'),
  ]
}
