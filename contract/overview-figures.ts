import * as z from 'zod/mini'
import { ROUND_TYPES } from '#domain/game/calendar.ts'
import { amount, answer, askedInstant, instant, query, text } from './codecs.ts'
import { requestKind } from './cashier.ts'
import { endpoint } from './endpoint.ts'

/**
 * Median and 90th percentile in ms; null if nothing was measured. In the overview, they are exact to 1 %, and times
 * below 1 s count as 1 s.
 */
export const duration = answer(() => ({
  count: z.int(),
  medianMs: ['median', z.nullable(z.int())],
  p90Ms: ['p90', z.nullable(z.int())],
}))

const requestCounts = {
  filed: z.int(),
  /** `approved`, `rejected`: counted when staff decide. `rejected` includes pending requests that staff deleted. */
  approved: z.int(),
  rejected: z.int(),
  cancelled: z.int(),
} as const

/**
 * One hour, or one day in Vietnam. Except in `leftOut`, only bets decided by price are counted, at the time of their
 * acceptance (rules §6.13).
 */
const figuresBucket = answer(() => ({
  /** A bucket includes `fromMs` and excludes `toMs`. The last bucket may reach into the future. */
  fromMs: ['from', instant],
  toMs: ['to', instant],
  active: z.int(),
  /** New accounts, without those that now belong to staff. */
  joined: ['new', z.int()],
  bets: z.int(),
  stakedMinor: ['staked', amount],
  decided: z.int(),
  netMinor: ['net', amount],
  /**
   * Mean and standard deviation that `netMinor` has by chance alone. A field with `SoFar` in its name is about the sum
   * of all buckets up to this one.
   */
  expectedMinor: ['expected', amount],
  deviationMinor: ['deviation', amount],
  netSoFarMinor: ['netSoFar', amount],
  expectedSoFarMinor: ['expectedSoFar', amount],
  deviationSoFarMinor: ['deviationSoFar', amount],
  voids: answer(() => ({
    tie: ['TIE', z.int()],
    noTick: ['NO_TICK', z.int()],
    roundDeleted: ['ROUND_DELETED', z.int()],
  })),
  leftOut: z.int(),
  deposits: answer(() => requestCounts),
  withdrawals: answer(() => requestCounts),
  /** Time from the filing of a request to staff's decision, counted in the bucket of the decision. */
  waiting: duration,
  /** Time from the message with which a player's wait began to staff's reply, counted in the bucket of the reply. */
  firstReply: duration,
  refused: z.int(),
  /**
   * The first five fields: how long the price feed was in each state. They add up to the passed part of the bucket.
   * `ledgerClosedMs`: how long the ledger was closed. All are in steps of 10 s (rules §6.13).
   */
  states: answer(() => ({
    openMs: ['open', z.int()],
    silentMs: ['silent', z.int()],
    closedMs: ['closed', z.int()],
    unsureMs: ['unsure', z.int()],
    offMs: ['off', z.int()],
    ledgerClosedMs: ['ledgerClosed', z.int()],
  })),
}))
export type FiguresBucket = z.output<typeof figuresBucket>

export const overviewFigures = answer(() => ({
  bucket: z.enum(['hour', 'day']),
  fromMs: ['from', instant],
  toMs: ['to', instant],
  /** Start of the first complete bucket; null if all are complete, `toMs` if none is. */
  completeFromMs: ['completeFrom', z.nullable(instant)],
  refusalsFromMs: ['refusalsFrom', z.nullable(instant)],
  statesFromMs: ['statesFrom', z.nullable(instant)],
  buckets: z.array(figuresBucket),
  /** Bets by type and hour of the day in Vietnam (0–23) over the whole range. Pairs without a bet are left out. */
  byHour: z.array(
    answer(() => ({
      type: ['gameType', z.enum(ROUND_TYPES)],
      hour: z.int(),
      bets: z.int(),
      stakedMinor: ['staked', amount],
    })),
  ),
  requests: z.array(answer(() => ({ kind: ['type', requestKind], ...requestCounts, waiting: duration }))),
  firstReply: duration,
  /** `sentence` is the text for people, or the code itself if this version does not know the code. */
  refusals: z.array(answer(() => ({ code: text, sentence: text, times: z.int() }))),
  serverTimeMs: ['serverTime', instant],
}))
export type OverviewFigures = z.output<typeof overviewFigures>

export const overviewFiguresEndpoints = {
  overviewFigures: endpoint('GET', '/api/v1/overview/figures', 'staff', {
    /**
     * `to` is excluded, and lies at most FIGURES_DAYS_MAX days after `from`. A range of up to HOURLY_UP_TO hours is
     * answered by hour, a longer one by day.
     */
    query: query(() => ({ from: askedInstant, to: askedInstant })),
    data: overviewFigures,
    summary: 'What happened in a range, by hour or by day in Vietnam: players, bets, requests, care, refusals, states',
  }),
} as const
