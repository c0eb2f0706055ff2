import * as z from 'zod/mini'
import { ROUND_TYPES } from '#domain/game/calendar.ts'
import { amount, answer, askedInstant, instant, query, text } from './codecs.ts'
import { requestKind } from './cashier.ts'
import { endpoint } from './endpoint.ts'

/** Durations in ms, exact to within 2 %; null if nothing was measured. */
export const duration = answer(() => ({
  count: z.int(),
  medianMs: ['median', z.nullable(z.int())],
  p90Ms: ['p90', z.nullable(z.int())],
}))

const requestCounts = {
  filed: z.int(),
  /** Decided in this span of time, whenever they were filed. `rejected` includes pending requests that staff deleted. */
  approved: z.int(),
  rejected: z.int(),
  cancelled: z.int(),
} as const

/**
 * One hour, or one day in Vietnam. Only bets decided by price are counted (rules §1.2), at the time of their
 * acceptance, even if their round was deleted or staff hid them.
 */
const figuresBucket = answer(() => ({
  /** `fromMs` is the first instant of the bucket, `toMs` the first one after it. The last bucket may reach into the future. */
  fromMs: ['from', instant],
  toMs: ['to', instant],
  active: z.int(),
  /** New accounts, without those that belong to staff by now. */
  joined: ['new', z.int()],
  bets: z.int(),
  stakedMinor: ['staked', amount],
  decided: z.int(),
  netMinor: ['net', amount],
  /** By chance `netMinor` is 0 with this standard deviation; the band is BAND_DEVIATIONS of them to either side. */
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
  /** From the filing of a request to staff's decision, counted in the bucket of the decision. */
  waiting: duration,
  /** From the message with which a player began to wait to staff's next message, counted in the bucket of that reply. */
  firstReply: duration,
  refused: z.int(),
  /**
   * How long each state lasted, to within ten seconds. The first five add up to the time of this bucket that has passed
   * since `statesFrom`; `ledgerClosed` overlaps with them (rules §2.4, §3.4, §5).
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
  /** Bets, players, requests and replies are complete from here on; null when all are counted, after an update. */
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
  /** `sentence` is the text for people. For a code that this version does not know, the code itself. */
  refusals: z.array(answer(() => ({ code: text, sentence: text, times: z.int() }))),
  serverTimeMs: ['serverTime', instant],
}))
export type OverviewFigures = z.output<typeof overviewFigures>

export const overviewFiguresEndpoints = {
  overviewFigures: endpoint('GET', '/api/v1/overview/figures', 'staff', {
    /** `to` is excluded and after `from`; at most FIGURES_DAYS_MAX days; by hour up to HOURLY_UP_TO, else by day. */
    query: query(() => ({ from: askedInstant, to: askedInstant })),
    data: overviewFigures,
    summary: 'What happened in a range, by hour or by day in Vietnam: players, bets, requests, care, refusals, states',
  }),
} as const
