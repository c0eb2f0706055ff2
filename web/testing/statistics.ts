import { NO_TOTALS } from '#domain/statistics/play.ts'
import type { OwnStatistics } from '#web/features/statistics/api.ts'

type StatisticsDay = OwnStatistics['days'][number]

/** Statistics for tests: nothing happened, but for these fields. */
export const someStatistics = (fields: Partial<OwnStatistics> = {}): OwnStatistics => ({
  range: { from: null, to: null },
  firstDay: fields.days?.[0]?.day ?? null,
  today: '2026-11-22',
  openingBalanceMinor: null,
  lowestMinor: null,
  highestMinor: null,
  changes: null,
  days: [],
  types: [],
  afterWin: { bets: 0, stakedMinor: 0n },
  afterLoss: { bets: 0, stakedMinor: 0n },
  playedMs: 0,
  longestWins: 0,
  longestLosses: 0,
  leftOut: 0,
  ...fields,
})

export const someDay = (day: string, fields: Partial<StatisticsDay> = {}): StatisticsDay => ({
  ...NO_TOTALS,
  day,
  playedMs: 0,
  balanceMinor: null,
  ...fields,
})
