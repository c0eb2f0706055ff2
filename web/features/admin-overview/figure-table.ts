import type { LinkProps } from '@tanstack/react-router'
import { type CsvValue, writeCsv } from '#domain/csv.ts'
import { minorToText } from '#domain/money.ts'
import { formatCount, formatShare, formatSignedAmount, formatWholeAmount } from '#web/platform/formats.ts'
import { figuresTexts as texts } from './figures-texts.ts'

/** The address of a list. A mark of a chart and the mark's row in the table link to it. */
export type ListAddress = {
  readonly to: NonNullable<LinkProps['to']>
  readonly search?: Readonly<Record<string, string>>
}

/** The text of a figure on screen, and its value in a CSV file. */
export type Cell = { readonly text: string; readonly csv: CsvValue }

/** The figures of one mark of a chart, which are also one row of the chart's table. */
export type FigureRow = {
  readonly name: string
  /** A sentence that explains the name, if the name alone is not clear. */
  readonly detail?: string
  readonly address?: ListAddress
  readonly cells: readonly Cell[]
}

/** The figures of a chart, shown in its table, CSV file and tooltips. `head[0]` is the head of the rows' names. */
export type FigureTable = {
  readonly head: readonly string[]
  /** The column heads of the CSV file, if they differ from `head` because they name the unit. */
  readonly csvHead?: readonly string[]
  readonly rows: readonly FigureRow[]
}

export const figuresCsv = ({ head, csvHead = head, rows }: FigureTable): string =>
  writeCsv(
    csvHead,
    rows.map(({ name, cells }) => [name, ...cells.map(({ csv }) => csv)]),
  )

/** Leaves out the sentences that are `false`. */
export const applying = (...sentences: ReadonlyArray<string | false>): readonly string[] =>
  sentences.filter((sentence) => sentence !== false)

export const count = (value: number): Cell => ({ text: formatCount(value), csv: value })
export const points = (minor: bigint): Cell => ({
  text: formatWholeAmount(minor),
  csv: { decimal: minorToText(minor) },
})
export const signedPoints = (minor: bigint): Cell => ({
  text: formatSignedAmount(minor),
  csv: { decimal: minorToText(minor) },
})
/** Formats a duration: with its unit on screen, in whole seconds in a CSV file. Null gives a dash or an empty cell. */
export const duration = (ms: number | null): Cell =>
  ms === null ? { text: texts.none, csv: '' } : { text: durationText(ms), csv: Math.round(ms / 1000) }
/** Formats a part of a whole as a percentage. If the whole is 0, gives a dash or an empty CSV cell. */
export const share = (part: number, whole: number): Cell =>
  whole === 0
    ? { text: texts.none, csv: '' }
    : { text: formatShare(part / whole), csv: { decimal: ((part / whole) * 100).toFixed(2) } }

/** Rounds to one decimal, which is left out if it is 0. */
const short = (value: number): string => {
  const rounded = Math.round(value * 10) / 10
  return Number.isInteger(rounded) ? formatCount(rounded) : rounded.toFixed(1)
}

/** Formats a duration in a unit that suits its length: `40 giây`, `2.5 phút`, `3 giờ`, `1.5 ngày`. */
export function durationText(ms: number): string {
  if (ms < 60_000) return texts.units.seconds(short(ms / 1000))
  if (ms < 3_600_000) return texts.units.minutes(short(ms / 60_000))
  return ms < 86_400_000 ? texts.units.hours(short(ms / 3_600_000)) : texts.units.days(short(ms / 86_400_000))
}

/** Shortens a number for the axis of a chart, where there is little room: `950`, `12k`, `1.5tr`, `2tỷ`. */
export function scaleText(value: number): string {
  const size = Math.abs(value)
  const sign = value < 0 ? '−' : ''
  if (size < 1_000) return `${sign}${short(size)}`
  if (size < 1e6) return sign + texts.units.thousand(short(size / 1e3))
  return sign + (size < 1e9 ? texts.units.million(short(size / 1e6)) : texts.units.billion(short(size / 1e9)))
}
