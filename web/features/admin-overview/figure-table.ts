import type { LinkProps } from '@tanstack/react-router'
import { type CsvValue, writeCsv } from '#domain/csv.ts'
import { minorToText } from '#domain/money.ts'
import { formatCount, formatShare, formatSignedAmount, formatWholeAmount } from '#web/platform/formats.ts'
import { figuresTexts as texts } from './figures-texts.ts'

/** The address that a mark leads to: a list with filters. */
export type ListAddress = {
  readonly to: NonNullable<LinkProps['to']>
  readonly search?: Readonly<Record<string, string>>
}

/** One figure, for people as text and for spreadsheets as a value. */
export type Cell = { readonly text: string; readonly csv: CsvValue }

/** One mark of a picture with all of its figures. */
export type FigureRow = {
  readonly name: string
  /** The meaning of the name, where it needs a sentence. */
  readonly detail?: string
  readonly address?: ListAddress
  readonly cells: readonly Cell[]
}

/** The figures of a picture: its table, its file and its tooltips are this. The first column names the row. */
export type FigureTable = {
  readonly head: readonly string[]
  /** The heads of the spreadsheet's columns, where they have to name the unit. */
  readonly csvHead?: readonly string[]
  readonly rows: readonly FigureRow[]
}

export const figuresCsv = ({ head, csvHead = head, rows }: FigureTable): string =>
  writeCsv(
    csvHead,
    rows.map(({ name, cells }) => [name, ...cells.map(({ csv }) => csv)]),
  )

/** Sentences, without those that do not apply. */
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
/** @param ms in a file as whole seconds */
export const duration = (ms: number | null): Cell =>
  ms === null ? { text: texts.none, csv: '' } : { text: durationText(ms), csv: Math.round(ms / 1000) }
/** A part of a whole, from 0 to 1; nothing of nothing is no share. */
export const share = (part: number, whole: number): Cell =>
  whole === 0
    ? { text: texts.none, csv: '' }
    : { text: formatShare(part / whole), csv: { decimal: ((part / whole) * 100).toFixed(2) } }

/** At most one decimal, without a decimal that is 0. */
const short = (value: number): string => {
  const rounded = Math.round(value * 10) / 10
  return Number.isInteger(rounded) ? formatCount(rounded) : rounded.toFixed(1)
}

/** A length of time: `40 giây`, `2.5 phút`, `3 giờ`, `1.5 ngày`. */
export function durationText(ms: number): string {
  if (ms < 60_000) return texts.units.seconds(short(ms / 1000))
  if (ms < 3_600_000) return texts.units.minutes(short(ms / 60_000))
  return ms < 86_400_000 ? texts.units.hours(short(ms / 3_600_000)) : texts.units.days(short(ms / 86_400_000))
}

/** A number on a scale, where room is short: `950`, `12k`, `1.5tr`, `2tỷ`. */
export function scaleText(value: number): string {
  const size = Math.abs(value)
  const sign = value < 0 ? '−' : ''
  if (size < 1_000) return `${sign}${short(size)}`
  if (size < 1e6) return sign + texts.units.thousand(short(size / 1e3))
  return sign + (size < 1e9 ? texts.units.million(short(size / 1e6)) : texts.units.billion(short(size / 1e9)))
}
