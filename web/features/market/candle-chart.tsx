import {
  type AutoscaleInfo,
  type CandlestickData,
  CandlestickSeries,
  type IChartApi,
  type IPriceLine,
  type ISeriesApi,
  LineStyle,
  TickMarkType,
  type WhitespaceData,
} from 'lightweight-charts'
import { useEffect, useRef } from 'react'
import type { CandleView } from '#contract/market.ts'
import type { Direction } from '#domain/game/bet.ts'
import { type Candle, type CandleMinutes, candleOpening, extendCandle } from '#domain/market/candles.ts'
import { formatDate, formatMinute } from '#web/platform/formats.ts'
import { newestPrice, onLivePrice } from '#web/platform/live-prices.ts'
import { onThemeChanged } from '#web/platform/theme.ts'
import { ReadAlong } from '#web/ui/read-along.tsx'
import {
  chartLooks,
  createEmptyChart,
  priceScaleWidth,
  readColour,
  toChartTime,
  toDollars,
  toMs,
  writePrice,
} from './chart-base.ts'
import type { ChartBet } from './live-round.ts'
import { marketTexts } from './market-texts.ts'
import { createScaleLabels, scaleLabel, type ScaleLabels } from './scale-labels.ts'

const barsInView = 42

export type CandleChartProps = {
  readonly source: string
  readonly minutes: CandleMinutes
  readonly candles: readonly CandleView[]
  readonly bet: ChartBet | null
}

type Drawn = {
  readonly chart: IChartApi
  readonly bars: ISeriesApi<'Candlestick'>
  readonly last: IPriceLine
  readonly labels: ScaleLabels
  /** In dollars. */
  prices: { readonly last: number | null; readonly entry: number | null }
  source: string | null
  isRemoved: boolean
}

export function CandleChart({ source, minutes, candles, bet }: CandleChartProps) {
  const hostRef = useRef<HTMLDivElement>(null)
  const drawnRef = useRef<Drawn>(undefined)

  useEffect(() => {
    const host = hostRef.current
    if (host === null) return
    const drawn = draw(host)
    drawnRef.current = drawn
    const stopTheme = onThemeChanged(() => repaint(drawn))
    return () => {
      stopTheme()
      drawnRef.current = undefined
      drawn.isRemoved = true
      drawn.chart.remove()
    }
  }, [])

  useEffect(() => {
    const drawn = drawnRef.current
    return drawn === undefined ? undefined : follow(drawn, source, minutes, candles)
  }, [source, minutes, candles])

  const entryPrice = bet?.entryPrice ?? null
  const direction = bet?.direction
  useEffect(() => {
    const drawn = drawnRef.current
    if (drawn === undefined || entryPrice === null || direction === undefined) return
    return markEntry(drawn, toDollars(entryPrice), direction)
  }, [entryPrice, direction])

  return (
    // A touch with one finger reads values (rules §5.7), so the library must not receive this touch.
    <div className="size-full" onTouchStartCapture={(event) => event.touches.length === 1 && event.stopPropagation()}>
      <ReadAlong
        label={marketTexts.captions[minutes === 1 ? '1m' : '60m']}
        xs={() => xsOf(drawnRef.current)}
        textOf={(at) => textOf(pricedBars(drawnRef.current)[at])}
        drawn={{ onRead: (at) => read(drawnRef.current, at), scaleWidth: priceScaleWidth }}
        className="size-full"
      >
        <div ref={hostRef} className="size-full" />
      </ReadAlong>
    </div>
  )
}

const pricedBars = (drawn: Drawn | undefined) =>
  drawn?.bars.data().filter((bar): bar is CandlestickData => 'close' in bar) ?? []

function xsOf(drawn: Drawn | undefined): readonly number[] {
  const width = drawn?.chart.chartElement().clientWidth ?? 1
  return pricedBars(drawn).map(({ time }) => (drawn?.chart.timeScale().timeToCoordinate(time) ?? 0) / width)
}

function textOf(bar: CandlestickData | undefined): string {
  if (bar === undefined) return ''
  const ms = toMs(Number(bar.time))
  return `${formatDate(ms).slice(0, 5)} ${formatMinute(ms)} · $${writePrice(bar.close)}`
}

/** Puts the crosshair on a candle, after bringing it into view. Null removes the crosshair. */
function read(drawn: Drawn | undefined, at: number | null): void {
  const bar = at === null ? undefined : pricedBars(drawn)[at]
  if (drawn === undefined) return
  if (bar === undefined) return drawn.chart.clearCrosshairPosition()
  const scale = drawn.chart.timeScale()
  const seen = scale.getVisibleLogicalRange()
  const index = scale.timeToIndex(bar.time)
  if (seen !== null && index !== null) {
    const away = Math.min(0, index - Math.ceil(seen.from)) + Math.max(0, index - Math.floor(seen.to))
    if (away !== 0) scale.setVisibleLogicalRange({ from: seen.from + away, to: seen.to + away })
  }
  drawn.chart.setCrosshairPosition(bar.close, bar.time, drawn.bars)
}

function draw(host: HTMLElement): Drawn {
  const labels = createScaleLabels()
  const chart = createEmptyChart(host, {
    localization: { tickmarksPriceFormatter: labels.tickmarksPriceFormatter },
    // The wheel and vertical touch drags scroll the page, not the chart.
    handleScroll: { mouseWheel: false, vertTouchDrag: false, horzTouchDrag: false },
    handleScale: { mouseWheel: false, axisPressedMouseMove: false },
    timeScale: { rightOffset: 2, tickMarkFormatter: writeTickMark },
  })
  chart.priceScale('right').applyOptions({ scaleMargins: { top: 0.06, bottom: 0.06 } })
  const bars = chart.addSeries(CandlestickSeries, {
    ...barLooks(),
    priceFormat: { type: 'custom', formatter: writePrice, minMove: 0.001 },
    // The library's own line and label have the candle's colour. A gold line marks the current price instead.
    priceLineVisible: false,
    lastValueVisible: false,
  })
  labels.attachTo(bars)
  const last = bars.createPriceLine({
    color: readColour('gold-fill'),
    price: 0,
    lineWidth: 1,
    lineStyle: LineStyle.Dashed,
    axisLabelVisible: false,
    title: '',
  })
  return { chart, bars, last, labels, prices: { last: null, entry: null }, source: null, isRemoved: false }
}

/** Changes the labelled prices. The labels appear when the scale is drawn next. */
function label(drawn: Drawn, change: Partial<Drawn['prices']> = {}): void {
  drawn.prices = { ...drawn.prices, ...change }
  const { last, entry } = drawn.prices
  drawn.labels.show([...scaleLabel(last, 'gold-fill', 'on-gold'), ...scaleLabel(entry, 'info', 'surface')])
}

/** Draws a line at the entry price. Returns a function that removes the line and its label. */
function markEntry(drawn: Drawn, price: number, direction: Direction): () => void {
  const { bars } = drawn
  const title = `${marketTexts.entryPrice} ${direction === 'up' ? '▲' : '▼'}`
  label(drawn, { entry: price })
  const line = bars.createPriceLine({
    price,
    title,
    lineWidth: 1,
    lineStyle: LineStyle.Solid,
    axisLabelVisible: false,
    ...entryColours(),
  })
  const stopTheme = onThemeChanged(() => line.applyOptions(entryColours()))
  // The scale is widened to include an entry line outside of the visible candles.
  bars.applyOptions({
    autoscaleInfoProvider: (original: () => AutoscaleInfo | null) => {
      const info = original()
      if (info?.priceRange == null) return info
      const { minValue, maxValue } = info.priceRange
      return { ...info, priceRange: { minValue: Math.min(minValue, price), maxValue: Math.max(maxValue, price) } }
    },
  })
  return () => {
    stopTheme()
    if (drawn.isRemoved) return
    label(drawn, { entry: null })
    bars.removePriceLine(line)
    bars.applyOptions({ autoscaleInfoProvider: (original: () => AutoscaleInfo | null) => original() })
  }
}

function writeTickMark(time: unknown, type: TickMarkType): string {
  const ms = toMs(Number(time))
  return type === TickMarkType.Time || type === TickMarkType.TimeWithSeconds
    ? formatMinute(ms)
    : formatDate(ms).slice(0, 5)
}

const lookAtNewest = (chart: IChartApi, count: number) =>
  chart.timeScale().setVisibleLogicalRange({ from: count - barsInView, to: count + 1 })

/** Shows `candles` and extends them by new ticks, at most once per frame. Returns a function that stops this. */
function follow(drawn: Drawn, source: string, minutes: CandleMinutes, candles: readonly CandleView[]): () => void {
  const { chart, bars, last } = drawn
  const whole = candles.map(toCandle)
  const [old, seen] = [bars.data(), chart.timeScale().getVisibleLogicalRange()]
  bars.setData(whole.map(toBar))
  // A refetch drops the oldest candles. A chart that was moved to older candles keeps showing these.
  const [first] = bars.data()
  const gone = old.findIndex(({ time }) => time === first?.time)
  if (source !== drawn.source) lookAtNewest(chart, whole.length)
  else if (seen !== null && gone > 0 && seen.to < old.length - 1)
    chart.timeScale().setVisibleLogicalRange({ from: seen.from - gone, to: seen.to - gone })
  drawn.source = source
  let running = whole.findLast(isCandle) ?? null
  const showLast = (price: number) => {
    label(drawn, { last: toDollars(price) })
    last.applyOptions({ price: toDollars(price), lineVisible: true })
  }
  if (running !== null) showLast(running.close)

  let frame: number | undefined
  const advance = () => {
    frame = undefined
    const live = newestPrice(source)
    if (live === undefined) return
    const openedAt = candleOpening(live.second, minutes)
    // A tick of an earlier candle is already part of the fetched candles.
    if (running !== null && openedAt < running.openedAt) return
    running = extendCandle(running?.openedAt === openedAt ? running : null, openedAt, live.price)
    bars.update(toBar(running))
    showLast(live.price)
  }
  const schedule = () => {
    frame ??= requestAnimationFrame(advance)
  }
  schedule()
  const stop = onLivePrice((price) => price.source === source && schedule())
  return () => {
    stop()
    if (frame !== undefined) cancelAnimationFrame(frame)
  }
}

type Gap = { readonly openedAt: number; readonly close?: undefined }

const isCandle = (one: Candle | Gap): one is Candle => one.close !== undefined

function toCandle({ openedAtMs, open, high, low, close }: CandleView): Candle | Gap {
  const openedAt = openedAtMs / 1000
  return open === undefined || high === undefined || low === undefined || close === undefined
    ? { openedAt }
    : { openedAt, open, high, low, close }
}

function toBar(candle: Candle | Gap): CandlestickData | WhitespaceData {
  const time = toChartTime(candle.openedAt)
  if (!isCandle(candle)) return { time }
  const { open, high, low, close } = candle
  return { time, open: toDollars(open), high: toDollars(high), low: toDollars(low), close: toDollars(close) }
}

const barLooks = () => ({
  upColor: readColour('up-fill'),
  downColor: readColour('down-fill'),
  borderVisible: false,
  wickUpColor: readColour('up-fill'),
  wickDownColor: readColour('down-fill'),
})

function repaint(drawn: Drawn): void {
  drawn.chart.applyOptions(chartLooks())
  drawn.bars.applyOptions(barLooks())
  drawn.last.applyOptions({ color: readColour('gold-fill') })
  label(drawn)
}

const entryColours = () => ({
  color: readColour('info'),
  axisLabelColor: readColour('info'),
  axisLabelTextColor: readColour('surface'),
})
