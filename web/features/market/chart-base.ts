import {
  type ChartOptions,
  createChart,
  CrosshairMode,
  type DeepPartial,
  type IChartApi,
  type IPrimitivePaneRenderer,
  type IPrimitivePaneView,
  type UTCTimestamp,
} from 'lightweight-charts'
import { formatGoldNumber } from '#web/platform/formats.ts'
import { onThemeChanged } from '#web/platform/theme.ts'

/** The library shows times as UTC. `toChartTime` adds the offset of Bangkok and Vietnam, and `toMs` subtracts it. */
const bangkokS = 25_200
export const toChartTime = (second: number) => (second + bangkokS) as UTCTimestamp
export const toMs = (chartTime: number) => (chartTime - bangkokS) * 1000

/** The library takes dollars. Ticks and candles have thousandths of a dollar. */
export const toDollars = (thousandths: number) => thousandths / 1000

export const writePrice = (dollars: number) => formatGoldNumber(Math.round(dollars * 1000))

/** In px. Wide enough for a price, so that the library need not widen the scale while it draws. */
export const priceScaleWidth = 74

export const fontSize = 11

/** The values that `readToken` has read. Cached, since a read may make the browser compute all styles. */
const values = new Map<string, string>()
onThemeChanged(() => values.clear())

/** Reads the value of a CSS variable, which a canvas can't use by its name. */
function readToken(token: string): string {
  const known = values.get(token)
  if (known !== undefined) return known
  const value = getComputedStyle(document.documentElement).getPropertyValue(token).trim()
  values.set(token, value)
  return value
}

export const readColour = (name: string): string => readToken(`--color-${name}`)
export const readFont = (): string => readToken('--font')

export const chartLooks = () =>
  ({
    layout: {
      background: { color: 'transparent' },
      textColor: readColour('ink-3'),
      fontFamily: readFont(),
    },
    grid: { vertLines: { visible: false }, horzLines: { color: readColour('line') } },
    crosshair: {
      // web/ui/read-along.tsx shows the value beside the crosshair, so the library's labels are off.
      vertLine: { color: readColour('control'), labelVisible: false },
      horzLine: { color: readColour('control'), labelVisible: false },
    },
  }) satisfies DeepPartial<ChartOptions>

/** @param options override the options that the charts have in common */
export function createEmptyChart(host: HTMLElement, options: DeepPartial<ChartOptions>): IChartApi {
  const looks = chartLooks()
  return createChart(host, {
    ...looks,
    autoSize: true,
    layout: { ...looks.layout, attributionLogo: false, fontSize, panes: { enableResize: false } },
    crosshair: { ...looks.crosshair, mode: CrosshairMode.Magnet },
    rightPriceScale: { borderVisible: false, entireTextOnly: true, minimumWidth: priceScaleWidth },
    ...options,
    localization: { priceFormatter: writePrice, ...options.localization },
    timeScale: { borderVisible: false, timeVisible: true, ...options.timeScale },
  })
}

/** Returns a layer of the library's canvas, which `draw` paints in CSS pixels. */
export const layer = (
  draw: (context: CanvasRenderingContext2D, size: { readonly width: number; readonly height: number }) => void,
): IPrimitivePaneView => {
  const renderer: IPrimitivePaneRenderer = {
    draw: (target) => target.useMediaCoordinateSpace(({ context, mediaSize }) => draw(context, mediaSize)),
  }
  return { renderer: () => renderer }
}
