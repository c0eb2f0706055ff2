import type { IChartApi, ISeriesApi } from 'lightweight-charts'
import type { Direction } from '#domain/game/bet.ts'
import { formatTime } from '#web/platform/formats.ts'
import { fontSize, readColour, readFont, toChartTime, toDollars } from './chart-base.ts'
import { type ChartRound, type RoundPoint, timeMarks } from './live-round.ts'
import { marketTexts } from './market-texts.ts'

export type RoundMarks = {
  readonly endSecond: number
  readonly nowSecond: number
  readonly newest: RoundPoint | null
  readonly entry: { readonly second: number; readonly price: number; readonly direction: Direction } | null
  /** The opening price. Null while a bet is held, or if the price would not decide a new bet. */
  readonly open: number | null
  readonly exitPrice: number | null
}

type Canvas = {
  readonly context: CanvasRenderingContext2D
  readonly size: { readonly width: number; readonly height: number }
  readonly chart: IChartApi
  readonly line: ISeriesApi<'Baseline'>
}

/** In px. */
const dotRadius = 4.5
const captionRoom = 80

export function drawRoundMarks(canvas: Canvas, marks: RoundMarks): void {
  const { endSecond, nowSecond, newest, entry, open, exitPrice } = marks
  const x = (second: number) => canvas.chart.timeScale().timeToCoordinate(toChartTime(second))
  const y = (price: number) => canvas.line.priceToCoordinate(toDollars(price))
  const end = x(endSecond)
  const now = x(nowSecond)
  if (end === null || now === null) return
  if (nowSecond < endSecond) stroke(canvas, readColour('control'), [1, 3], [now, 0], [now, canvas.size.height])
  stroke(canvas, readColour('ink-3'), [], [end, 0], [end, canvas.size.height])

  const openY = open === null ? null : y(open)
  if (open !== null && openY !== null) {
    const colour = readColour('ink-3')
    stroke(canvas, colour, [4, 3], [0, openY], [end, openY])
    const isAbove = newest !== null && newest.price < open
    write(canvas, marketTexts.openingPrice, colour, { x: end, y: openY, end, isAbove })
  }

  const entryX = entry === null ? null : x(entry.second)
  const entryY = entry === null ? null : y(entry.price)
  if (entry !== null && entryX !== null && entryY !== null) {
    const info = readColour('info')
    stroke(canvas, info, [4, 3], [entryX, entryY], [end, entryY])
    dot(canvas, info, entryX, entryY)
    const isAbove = newest !== null && newest.price < entry.price
    const text = `${entry.direction === 'up' ? '▲' : '▼'} ${marketTexts.entryPrice}`
    // If there is room, the text stands to the right of the line "now", where no price is drawn yet.
    write(canvas, text, info, { x: end - now > captionRoom ? end : entryX, y: entryY, end, isAbove })
  }

  const lastX = newest === null ? null : x(newest.second)
  const lastY = newest === null ? null : y(newest.price)
  if (exitPrice === null && lastX !== null && lastY !== null) dot(canvas, readColour('gold'), lastX, lastY)
  const exitY = exitPrice === null ? null : y(exitPrice)
  if (exitY !== null) dot(canvas, readColour('ink'), end, exitY)
}

/** Writes the opening time in full, and the other marks as seconds like `:10`. */
export function drawTimes({ context, size, chart }: Canvas, round: ChartRound): void {
  context.font = `${fontSize}px ${readFont()}`
  context.textBaseline = 'middle'
  context.fillStyle = readColour('ink-3')
  const seconds = timeMarks(round)
  let takenTo = 0
  for (const [index, second] of seconds.entries()) {
    const x = chart.timeScale().timeToCoordinate(toChartTime(second))
    if (x === null) continue
    const time = formatTime(second * 1000)
    const text = index === 0 ? time : time.slice(5)
    const { width } = context.measureText(text)
    const left = index === 0 ? x - 4 : index === seconds.length - 1 ? x + 4 - width : x - width / 2
    // A mark that would touch the last written mark is left out.
    if (left < takenTo) continue
    context.fillText(text, left, size.height / 2)
    takenTo = left + width + 4
  }
}

type Spot = readonly [x: number, y: number]

function stroke({ context }: Canvas, colour: string, dashes: number[], from: Spot, to: Spot): void {
  // A line of one pixel is only sharp at half a pixel.
  const sharp = ([x, y]: Spot): Spot => [Math.round(x) + 0.5, Math.round(y) + 0.5]
  context.beginPath()
  context.setLineDash(dashes)
  context.lineWidth = 1
  context.strokeStyle = colour
  context.moveTo(...sharp(from))
  context.lineTo(...sharp(to))
  context.stroke()
  context.setLineDash([])
}

/** Draws a dot with a rim in the background's colour, which sets it off from the line. */
function dot({ context }: Canvas, colour: string, x: number, y: number): void {
  context.beginPath()
  context.arc(x, y, dotRadius, 0, 2 * Math.PI)
  context.fillStyle = colour
  context.fill()
  context.lineWidth = 1.5
  context.strokeStyle = readColour('surface')
  context.stroke()
}

/** Writes the name of a price above or below its line: away from the newest price, if there is room on that side. */
function write(
  { context, size }: Canvas,
  text: string,
  colour: string,
  at: { readonly x: number; readonly y: number; readonly end: number; readonly isAbove: boolean },
): void {
  context.font = `${fontSize}px ${readFont()}`
  context.textBaseline = 'middle'
  const { width } = context.measureText(text)
  const offset = dotRadius + fontSize / 2 + 3
  const wanted = at.isAbove ? at.y - offset : at.y + offset
  const isWithin = wanted > fontSize / 2 && wanted < size.height - fontSize / 2
  const y = isWithin ? wanted : 2 * at.y - wanted
  const x = Math.max(2, Math.min(at.x - 2, at.end - width - 6))
  context.lineWidth = 3
  context.strokeStyle = readColour('surface')
  context.strokeText(text, x, y)
  context.fillStyle = colour
  context.fillText(text, x, y)
}
