import {
  type AutoscaleInfo,
  type CandlestickData,
  CandlestickSeries,
  type ChartOptions,
  createChart,
  CrosshairMode,
  type DeepPartial,
  type IChartApi,
  type IPriceLine,
  type ISeriesApi,
  LineStyle,
  TickMarkType,
  type UTCTimestamp,
  type WhitespaceData,
} from 'lightweight-charts'
import { useEffect, useRef } from 'react'
import type { CandleView } from '#contract/market.ts'
import { type Candle, candleOpening, extendCandle } from '#domain/market/candles.ts'
import { formatDate, formatDateTime, formatGoldNumber, formatMinute } from '#web/platform/formats.ts'
import { marketTexts } from './market-texts.ts'
import { newestPrice, onLivePrice } from '#web/platform/live-prices.ts'
import { onThemeChanged } from '#web/platform/theme.ts'

/**
 * The library shows every time as UTC. To show Bangkok's hours, times are shifted when they enter the library, and
 * shifted back where the library asks for a formatted time. Only this file applies the shift.
 */
const bangkokS = 25_200
const toChartTime = (second: number) => (second + bangkokS) as UTCTimestamp
const toMs = (chartTime: number) => (chartTime - bangkokS) * 1000

/** The library uses dollars; our prices are thousandths of a dollar. */
const toDollars = (thousandths: number) => thousandths / 1000
const toThousandths = (dollars: number) => Math.round(dollars * 1000)

/** How many candles are visible at first. */
const barsInView = 42

/**
 * The width of the price scale, in px. With an automatic width the library measures during drawing and then draws
 * everything again.
 */
const priceScaleWidth = 74

/** In px. */
const fontSize = 11

export type EntryLine = {
  /** Thousandths of a dollar. */
  readonly price: number
  readonly direction: 'up' | 'down'
}

export type CandleChartProps = {
  readonly source: string
  readonly candles: readonly CandleView[]
  readonly entry: EntryLine | null
}

type Bars = ISeriesApi<'Candlestick'>
type Drawn = { readonly chart: IChartApi; readonly bars: Bars; readonly last: IPriceLine }

/** The chart, in a file of its own because its library is loaded with it. */
export function CandleChart({ source, candles, entry }: CandleChartProps) {
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
      drawn.chart.remove()
    }
  }, [])

  useEffect(() => {
    const drawn = drawnRef.current
    return drawn === undefined ? undefined : follow(drawn, source, candles)
  }, [source, candles])

  const entryPrice = entry?.price
  const direction = entry?.direction
  useEffect(() => {
    const bars = drawnRef.current?.bars
    if (bars === undefined || entryPrice === undefined || direction === undefined) return
    const price = toDollars(entryPrice)
    const title = `${marketTexts.entryPrice} ${direction === 'up' ? '▲' : '▼'}`
    const line = bars.createPriceLine({ price, title, lineWidth: 1, lineStyle: LineStyle.Solid, ...infoColours() })
    const stopTheme = onThemeChanged(() => line.applyOptions(infoColours()))
    // The scale makes room for an entry line outside of the visible candles.
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
      if (drawnRef.current?.bars !== bars) return
      bars.removePriceLine(line)
      bars.applyOptions({ autoscaleInfoProvider: (original: () => AutoscaleInfo | null) => original() })
    }
  }, [entryPrice, direction])

  return <div ref={hostRef} className="size-full" />
}

function draw(host: HTMLElement): Drawn {
  const looks = readLooks()
  const chart = createChart(host, {
    ...looks.chart,
    autoSize: true,
    layout: { ...looks.chart.layout, attributionLogo: false, fontSize, panes: { enableResize: false } },
    localization: {
      priceFormatter: writePrice,
      timeFormatter: (time: number) => formatDateTime(toMs(time)).slice(0, -3),
    },
    // The page keeps its own scrolling: the chart handles only sideways drags and pinches.
    handleScroll: { mouseWheel: false, vertTouchDrag: false },
    handleScale: { mouseWheel: false, axisPressedMouseMove: false },
    crosshair: { ...looks.chart.crosshair, mode: CrosshairMode.Normal },
    rightPriceScale: {
      scaleMargins: { top: 0.2, bottom: 0.05 },
      borderVisible: false,
      entireTextOnly: true,
      minimumWidth: priceScaleWidth,
    },
    timeScale: { borderVisible: false, timeVisible: true, rightOffset: 2, tickMarkFormatter: writeTickMark },
  })
  const bars = chart.addSeries(CandlestickSeries, {
    ...looks.bars,
    priceFormat: { type: 'custom', formatter: writePrice, minMove: 0.001 },
    // The library's own line and label follow the candle's colour; the current price has a gold line instead.
    priceLineVisible: false,
    lastValueVisible: false,
  })
  const last = bars.createPriceLine({
    ...looks.last,
    price: 0,
    lineWidth: 1,
    lineStyle: LineStyle.Dashed,
    axisLabelVisible: true,
    title: '',
  })
  return { chart, bars, last }
}

const writePrice = (dollars: number) => formatGoldNumber(toThousandths(dollars))

function writeTickMark(time: unknown, type: TickMarkType): string {
  const ms = toMs(Number(time))
  return type === TickMarkType.Time || type === TickMarkType.TimeWithSeconds
    ? formatMinute(ms)
    : formatDate(ms).slice(0, 5)
}

const lookAtNewest = (chart: IChartApi, count: number) =>
  chart.timeScale().setVisibleLogicalRange({ from: count - barsInView, to: count + 1 })

/**
 * Shows these candles and then follows the ticks, with at most one update per frame. Returns the function that stops
 * it.
 */
function follow({ chart, bars, last }: Drawn, source: string, candles: readonly CandleView[]): () => void {
  const whole = candles.map(toCandle)
  bars.setData(whole.map(toBar))
  lookAtNewest(chart, whole.length)
  let running = whole.findLast(isCandle) ?? null
  const showLast = (price: number) => last.applyOptions({ price: toDollars(price), lineVisible: true })
  if (running !== null) showLast(running.close)

  let frame: number | undefined
  const advance = () => {
    frame = undefined
    const live = newestPrice(source)
    if (live === undefined) return
    const openedAt = candleOpening(live.second, 60)
    // Ticks from before the request are already part of the candles.
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

/** A canvas cannot use CSS variables: their values are read here, and again whenever the theme changes. */
function readLooks() {
  const colour = readColour
  return {
    chart: {
      layout: {
        background: { color: 'transparent' },
        textColor: colour('--text-3'),
        fontFamily: colour('--font'),
      },
      grid: { vertLines: { visible: false }, horzLines: { color: colour('--line') } },
      crosshair: {
        vertLine: { color: colour('--control'), labelBackgroundColor: colour('--text-2') },
        horzLine: { color: colour('--control'), labelBackgroundColor: colour('--text-2') },
      },
    } satisfies DeepPartial<ChartOptions>,
    bars: {
      upColor: colour('--up-fill'),
      downColor: colour('--down-fill'),
      borderVisible: false,
      wickUpColor: colour('--up-fill'),
      wickDownColor: colour('--down-fill'),
    },
    last: {
      color: colour('--gold-fill'),
      axisLabelColor: colour('--gold-fill'),
      axisLabelTextColor: colour('--on-gold'),
    },
  }
}

function repaint({ chart, bars, last }: Drawn): void {
  const looks = readLooks()
  chart.applyOptions(looks.chart)
  bars.applyOptions(looks.bars)
  last.applyOptions(looks.last)
}

const infoColours = () => ({
  color: readColour('--info'),
  axisLabelColor: readColour('--info'),
  axisLabelTextColor: readColour('--surface'),
})

const readColour = (token: string) => getComputedStyle(document.documentElement).getPropertyValue(token).trim()
