import * as z from 'zod/mini'
import { ROUND_TYPES } from '#domain/game/calendar.ts'
import { amount, answer, askedInstant, instant, query, text } from './codecs.ts'
import { requestKind } from './cashier.ts'
import { endpoint } from './endpoint.ts'

/** How long something took, in ms, to within 2 %; null where nothing was measured. */
const duration = answer(() => ({
  /** How many were measured. */
  count: z.int(),
  medianMs: ['median', z.nullable(z.int())],
  /** The 90th percentile: nine of ten took at most this long. */
  p90Ms: ['p90', z.nullable(z.int())],
}))

const requestCounts = {
  /** Filed in this time. */
  filed: z.int(),
  /** Decided in this time, whenever they were filed. */
  approved: z.int(),
  /** Rejected by staff, including pending ones that staff deleted. */
  rejected: z.int(),
  /** Cancelled by their owner. */
  cancelled: z.int(),
} as const

/**
 * One hour, or one day in Vietnam. Bets are those that the price decides (rules §1.2). They are counted at the time of
 * their acceptance, even if their round was deleted or staff hid them.
 */
const figuresBucket = answer(() => ({
  /** First instant, and the first one after it; the last bucket may reach into the future. */
  fromMs: ['from', instant],
  toMs: ['to', instant],
  /** Players who placed a bet. */
  active: z.int(),
  /** Accounts that were opened, without those that are staff's now. */
  joined: ['new', z.int()],
  bets: z.int(),
  /** Stakes of these bets, including voided and open ones. */
  stakedMinor: ['staked', amount],
  /** Bets that were won or lost; the rest is open or void. */
  decided: z.int(),
  /** The house's profit from the decided bets; negative for a loss. */
  netMinor: ['net', amount],
  /** The expectation of `net` by chance, which is 0. */
  expectedMinor: ['expected', amount],
  /** Standard deviation of `net` by chance; the band is expected ± BAND_DEVIATIONS × this (domain/overview). */
  deviationMinor: ['deviation', amount],
  /** The same three figures, summed from the range's beginning to the end of this bucket. */
  netSoFarMinor: ['netSoFar', amount],
  expectedSoFarMinor: ['expectedSoFar', amount],
  deviationSoFarMinor: ['deviationSoFar', amount],
  /** Voided bets by reason. */
  voids: answer(() => ({
    tie: ['TIE', z.int()],
    noTick: ['NO_TICK', z.int()],
    roundDeleted: ['ROUND_DELETED', z.int()],
  })),
  /** Bets that staff or a script decided; they are in nothing else here. */
  leftOut: z.int(),
  deposits: answer(() => requestCounts),
  withdrawals: answer(() => requestCounts),
  /** From filing to staff's decision, of both kinds, by the time of the decision. */
  waiting: duration,
  /** From the first message with which a player began to wait to staff's next one, by the time of that reply. */
  firstReply: duration,
  /** Calls that were refused, with any code. */
  refused: z.int(),
  /**
   * How long each state lasted, in ms, to within ten seconds. The four states of the feed and `off` add up to the time
   * of the bucket that has passed since `statesFrom`. `ledgerClosed` lies within the four.
   */
  states: answer(() => ({
    /** The feed gave prices: the live one, or the simulated one while gold does not trade or none is live. */
    openMs: ['open', z.int()],
    /** No quotes, or seconds without a price. */
    silentMs: ['silent', z.int()],
    /** Quotes came, but from the future or too far from the last (rules §2.4, §5). */
    closedMs: ['closed', z.int()],
    /** The server was not sure of the time. */
    unsureMs: ['unsure', z.int()],
    /** No server ran. */
    offMs: ['off', z.int()],
    /** The ledger was closed: a check had failed (rules §3.4). */
    ledgerClosedMs: ['ledgerClosed', z.int()],
  })),
}))
export type FiguresBucket = z.output<typeof figuresBucket>

/** Figures about a range of time, for the overview's pictures (rules §6.13). */
export const overviewFigures = answer(() => ({
  bucket: z.enum(['hour', 'day']),
  /** The range, widened to whole buckets; `to` is excluded. */
  fromMs: ['from', instant],
  toMs: ['to', instant],
  /**
   * The instant from which bets, players, requests and replies are counted; earlier ones are still being counted after
   * an update. Null when all are counted.
   */
  completeFromMs: ['completeFrom', z.nullable(instant)],
  /** When this installation began to count refusals, and to note its state; null while it has not. */
  refusalsFromMs: ['refusalsFrom', z.nullable(instant)],
  statesFromMs: ['statesFrom', z.nullable(instant)],
  /** Every bucket of the range that has begun, oldest first; empty ones are there with zeros. */
  buckets: z.array(figuresBucket),
  /** Bets by type and hour of the day in Vietnam (0–23), over the range; pairs without a bet are left out. */
  byHour: z.array(
    answer(() => ({
      type: ['gameType', z.enum(ROUND_TYPES)],
      hour: z.int(),
      bets: z.int(),
      stakedMinor: ['staked', amount],
    })),
  ),
  /** Sums over the range, deposits first. */
  requests: z.array(answer(() => ({ kind: ['type', requestKind], ...requestCounts, waiting: duration }))),
  firstReply: duration,
  /** Refused calls over the range by code, the most frequent first. */
  /** `sentence` is the text for people; a code that this version does not have stands for itself. */
  refusals: z.array(answer(() => ({ code: text, sentence: text, times: z.int() }))),
  serverTimeMs: ['serverTime', instant],
}))
export type OverviewFigures = z.output<typeof overviewFigures>

export const overviewFiguresEndpoints = {
  overviewFigures: endpoint('GET', '/api/v1/overview/figures', 'staff', {
    /**
     * `to` is excluded, and after `from`; at most FIGURES_DAYS_MAX days. A range of up to HOURLY_UP_TO hours is
     * answered by hour, a longer one by day.
     */
    query: query(() => ({ from: askedInstant, to: askedInstant })),
    data: overviewFigures,
    summary: 'What happened in a range, by hour or by day in Vietnam: players, bets, requests, care, refusals, states',
  }),
} as const
