import * as z from 'zod/mini'
import { ROUND_TYPES } from '#domain/game/calendar.ts'
import { amount, answer, day, instant, query } from './codecs.ts'
import { endpoint } from './endpoint.ts'

const totals = {
  won: ['win', z.int()],
  lost: ['lose', z.int()],
  voided: ['void', z.int()],
  stakedMinor: ['staked', amount],
  netMinor: ['profit', amount],
} as const

const stakes = answer(() => ({ bets: z.int(), stakedMinor: ['staked', amount] }))

/**
 * The player's own ended bets in a range of days, and the balance at the end of each day (rules §6.8). Bets that the
 * price did not decide are counted in `leftOut` alone. Days on which nothing happened are left out.
 */
export const statistics = answer(() => ({
  firstDay: z.nullable(day),
  today: day,
  /** The balance before the range began; null if the account had no transfer before the range. */
  openingBalanceMinor: ['openingBalance', z.nullable(amount)],
  /** Lowest and highest balance, the opening one included; null if the range has too many changes (rules §6.8). */
  lowestMinor: ['lowest', z.nullable(amount)],
  highestMinor: ['highest', z.nullable(amount)],
  /** The balance after each change, oldest first; null if the range has too many changes (rules §6.8). */
  changes: z.nullable(z.array(answer(() => ({ atMs: ['at', instant], balanceMinor: ['balance', amount] })))),
  days: z.array(
    answer(() => ({
      day,
      ...totals,
      playedMs: z.int(),
      balanceMinor: ['balance', z.nullable(amount)],
    })),
  ),
  types: z.array(answer(() => ({ type: ['gameType', z.enum(ROUND_TYPES)], ...totals }))),
  /** Stakes of bets whose previous decided bet was won (`afterWin`) or lost (`afterLoss`). */
  afterWin: stakes,
  afterLoss: stakes,
  playedMs: z.int(),
  longestWins: z.int(),
  longestLosses: z.int(),
  leftOut: z.int(),
  serverTimeMs: ['serverTime', instant],
}))
export type Statistics = z.output<typeof statistics>

export const statisticsEndpoints = {
  readStatistics: endpoint('GET', '/api/v1/user/statistics', 'own-data', {
    query: query(() => ({ from: z.optional(day), to: z.optional(day) })),
    data: statistics,
    summary: 'Own bets by day and type, the balance by day, stakes after wins and losses, time played, longest runs',
  }),
} as const
