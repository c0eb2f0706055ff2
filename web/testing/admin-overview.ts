import type { FiguresBucket } from '#contract/overview-figures.ts'
import { startOfDayMs } from '#domain/day.ts'
import type { Figures } from '#web/features/admin-overview/figures.ts'

const DAY_MS = 86_400_000
const NO_REQUESTS = { filed: 0, approved: 0, rejected: 0, cancelled: 0 }
const NO_TIME = { count: 0, medianMs: null, p90Ms: null }

/** A day in which nothing happened, but for these fields. */
export const someBucket = (day: string, fields: Partial<FiguresBucket> = {}): FiguresBucket => ({
  fromMs: startOfDayMs(day),
  toMs: startOfDayMs(day) + DAY_MS,
  active: 0,
  joined: 0,
  bets: 0,
  stakedMinor: 0n,
  decided: 0,
  netMinor: 0n,
  expectedMinor: 0n,
  deviationMinor: 0n,
  netSoFarMinor: 0n,
  expectedSoFarMinor: 0n,
  deviationSoFarMinor: 0n,
  voids: { tie: 0, noTick: 0, roundDeleted: 0 },
  leftOut: 0,
  deposits: NO_REQUESTS,
  withdrawals: NO_REQUESTS,
  waiting: NO_TIME,
  firstReply: NO_TIME,
  refused: 0,
  states: { openMs: 0, silentMs: 0, closedMs: 0, unsureMs: 0, offMs: 0, ledgerClosedMs: 0 },
  ...fields,
})

/** Two days in which nothing happened, but for these fields. */
export function someFigures(fields: Partial<Figures> = {}): Figures {
  const buckets = fields.buckets ?? [someBucket('2026-11-21'), someBucket('2026-11-22')]
  return {
    bucket: 'day',
    fromMs: buckets[0]?.fromMs ?? 0,
    toMs: buckets.at(-1)?.toMs ?? 0,
    completeFromMs: null,
    refusalsFromMs: 0,
    statesFromMs: 0,
    buckets,
    byHour: [],
    requests: [
      { kind: 'deposit', ...NO_REQUESTS, waiting: NO_TIME },
      { kind: 'withdrawal', ...NO_REQUESTS, waiting: NO_TIME },
    ],
    firstReply: NO_TIME,
    refusals: [],
    ...fields,
  }
}
