import type { ISeriesApi, SeriesType } from 'lightweight-charts'
import { fontSize, layer, readColour, readFont, writePrice } from './chart-base.ts'
import { freeNumbers, labelPlaces } from './label-places.ts'

type ScaleLabel = {
  readonly price: number
  readonly fill: string
  readonly ink: string
}

/** Returns a label, or none without a price. `price` is in dollars. `fill` and `ink` name CSS variables of colours. */
export const scaleLabel = (price: number | null, fill: string, ink: string): readonly ScaleLabel[] =>
  price === null ? [] : [{ price, fill: readColour(fill), ink: readColour(ink) }]

/** In px. */
const labelHeight = 18
const textLeft = 8
const radius = 4

export type ScaleLabels = ReturnType<typeof createScaleLabels>

/**
 * Draws the numbers and labels of the price scale, since the library's own labels cover its numbers. A number that a
 * label would touch is left out, and labels that would overlap move apart.
 */
export function createScaleLabels() {
  let numbers: readonly number[] = []
  /** In order of importance: if labels would overlap, the earlier one keeps its place. */
  let labels: readonly ScaleLabel[] = []

  const drawOn = (series: ISeriesApi<SeriesType>) =>
    layer((context, { width, height }) => {
      const at = <Marked extends { readonly price: number }>(marks: readonly Marked[]) =>
        marks.flatMap((mark) => {
          const y = series.priceToCoordinate(mark.price)
          return y === null ? [] : [{ ...mark, y: Number(y) }]
        })
      const marked = at(labels)
      const places = labelPlaces(
        marked.map(({ y }) => y),
        labelHeight,
        height,
      )
      context.font = `${fontSize}px ${readFont()}`
      context.textBaseline = 'middle'
      context.fillStyle = readColour('ink-3')
      for (const { price, y } of freeNumbers(at(numbers.map((price) => ({ price }))), places, labelHeight))
        context.fillText(writePrice(price), textLeft, y + 0.5)
      for (const [index, { price, fill, ink }] of marked.entries()) {
        const y = places[index] ?? 0
        context.fillStyle = fill
        context.beginPath()
        context.roundRect(2, y - labelHeight / 2, width - 4, labelHeight, radius)
        context.fill()
        context.fillStyle = ink
        context.fillText(writePrice(price), textLeft, y + 0.5)
      }
    })

  return {
    show: (next: readonly ScaleLabel[]) => {
      labels = next
    },
    /** Pass this as the chart's option of the same name. It records the numbers, and makes the library write none. */
    tickmarksPriceFormatter: (prices: readonly number[]) => {
      numbers = prices
      return prices.map(() => '')
    },
    attachTo: (series: ISeriesApi<SeriesType>) => {
      const views = [drawOn(series)]
      series.attachPrimitive({ priceAxisPaneViews: () => views })
    },
  }
}
