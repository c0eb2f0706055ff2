import { minorToText } from '#domain/money.ts'
import { writeCsv } from '#domain/csv.ts'
import type { OwnStatistics } from './api.ts'
import { statisticsTexts } from './statistics-texts.ts'

const columns = ['day', 'won', 'lost', 'voided', 'staked', 'net', 'time', 'balance'] as const

/** Returns the days as CSV. Amounts are plain numbers, days look like `2026-11-20`, play time is in minutes. */
export function writeStatisticsCsv({ days }: OwnStatistics): string {
  const amount = (minor: bigint) => ({ decimal: minorToText(minor) })
  return writeCsv(
    columns.map((name) => statisticsTexts.columns[name]),
    days.map((day) => [
      day.day,
      day.won,
      day.lost,
      day.voided,
      amount(day.stakedMinor),
      amount(day.netMinor),
      Math.round(day.playedMs / 60_000),
      day.balanceMinor === null ? '' : amount(day.balanceMinor),
    ]),
  )
}

/** Returns a name such as `kim-phien-thong-ke-2026-11-01-2026-11-22.csv`. */
export const csvName = ({ range, firstDay, today }: OwnStatistics): string =>
  `kim-phien-thong-ke-${range.from ?? firstDay ?? today}-${range.to ?? today}.csv`
