import type { createChart, IChartApi } from 'lightweight-charts'
import { render } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { CandleView } from '#contract/market.ts'
import { CandleChart } from './candle-chart.tsx'

const made: IChartApi[] = []
vi.mock(import('lightweight-charts'), async (original) => {
  const library = await original()
  const make = (host: HTMLElement, options: object) => {
    const chart = library.createChart(host, { ...options, autoSize: false, width: 400, height: 300 })
    made.push(chart)
    return chart
  }
  return { ...library, createChart: make as typeof createChart }
})

// What the library needs and this DOM has not: a size, a canvas, colours.
beforeEach(() => {
  const context: unknown = new Proxy(
    {},
    { get: (_, name) => (name === 'measureText' ? () => ({ width: 10 }) : () => context), set: () => true },
  )
  const looks = { getPropertyValue: () => '#000000', color: 'rgb(0, 0, 0)' }
  const replaced = [
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never),
    vi.spyOn(window, 'getComputedStyle').mockReturnValue(looks as never),
  ]
  return () => replaced.forEach((one) => one.mockRestore())
})

/** The last 168 candles, as the server sends them. */
const candlesThrough = (count: number): CandleView[] =>
  Array.from({ length: 168 }, (_, at) => ({
    ...{ openedAtMs: (count - 168 + at) * 60_000, open: 1, high: 1, low: 1, close: 1 },
  }))

test('a chart that was moved stays where it is when newer candles come, until the source changes', async () => {
  const show = (source: string, count: number) => (
    <CandleChart source={source} minutes={1} candles={candlesThrough(count)} bet={null} />
  )
  const { rerender } = render(show('simulated', 168))
  const scale = made.at(-1)?.timeScale()
  // The chart moves with the next frame.
  const range = async () => {
    await new Promise(requestAnimationFrame)
    return scale?.getVisibleLogicalRange()
  }
  expect(await range()).toEqual({ from: 126, to: 169 })
  rerender(show('simulated', 169))
  expect(await range()).toEqual({ from: 126, to: 169 })
  const moved = { from: 10, to: 52 }
  scale?.setVisibleLogicalRange(moved)
  expect(await range()).toEqual(moved)
  rerender(show('simulated', 172))
  expect(await range()).toEqual({ from: 7, to: 49 })
  rerender(show('pyth', 172))
  expect(await range()).toEqual({ from: 126, to: 169 })
})
