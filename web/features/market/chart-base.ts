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

/**
 * The library shows every time as UTC. To show Bangkok's hours, times are shifted when they enter the library and back
 * when it asks for a formatted time, by this file alone.
 */
const bangkokS = 25_200
export const toChartTime = (second: number) => (second + bangkokS) as UTCTimestamp
export const toMs = (chartTime: number) => (chartTime - bangkokS) * 1000

/** The library uses dollars, we thousandths of a dollar. */
export const toDollars = (thousandths: number) => thousandths / 1000
const toThousandths = (dollars: number) => Math.round(dollars * 1000)

export const writePrice = (dollars: number) => formatGoldNumber(toThousandths(dollars))

/** In px. With an automatic width the library measures while drawing, and then draws everything again. */
export const priceScaleWidth = 74

export const fontSize = 11

const values = new Map<string, string>()
// Each drawing reads a dozen tokens, and each read makes the browser compute the page's styles.
onThemeChanged(() => values.clear())

/** A canvas cannot use CSS variables. Their values are read again after the theme or the fonts changed. */
export function readColour(token: string): string {
  const known = values.get(token)
  if (known !== undefined) return known
  const value = getComputedStyle(document.documentElement).getPropertyValue(token).trim()
  values.set(token, value)
  return value
}

export const chartLooks = () =>
  ({
    layout: {
      background: { color: 'transparent' },
      textColor: readColour('--text-3'),
      fontFamily: readColour('--font'),
    },
    grid: { vertLines: { visible: false }, horzLines: { color: readColour('--line') } },
    crosshair: {
      // The value stands beside the crosshair (web/ui/read-along.tsx).
      vertLine: { color: readColour('--control'), labelVisible: false },
      horzLine: { color: readColour('--control'), labelVisible: false },
    },
  }) satisfies DeepPartial<ChartOptions>

/** @param options override what both charts have in common */
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

/** A layer of the library's canvas that this function draws, in CSS pixels. */
export const layer = (
  draw: (context: CanvasRenderingContext2D, size: { readonly width: number; readonly height: number }) => void,
): IPrimitivePaneView => {
  const renderer: IPrimitivePaneRenderer = {
    draw: (target) => target.useMediaCoordinateSpace(({ context, mediaSize }) => draw(context, mediaSize)),
  }
  return { renderer: () => renderer }
}
