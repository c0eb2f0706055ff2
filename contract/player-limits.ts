import * as z from 'zod/mini'
import { amount, answer, askedInstant, instant, request } from './codecs.ts'
import { endpoint } from './endpoint.ts'

/** A player's own limits, how much of them is used today, and a raise that has not taken effect yet (rules §6.6). */
export const playerLimits = answer(() => ({
  dailyStakeMinor: ['dailyStake', z.nullable(amount)],
  dailyLossMinor: ['dailyLoss', z.nullable(amount)],
  reminderMinutes: z.nullable(z.int()),
  timeoutUntilMs: ['timeoutUntil', z.nullable(instant)],
  pending: z.nullable(
    answer(() => ({
      dailyStakeMinor: ['dailyStake', z.nullable(amount)],
      dailyLossMinor: ['dailyLoss', z.nullable(amount)],
      takesEffectAtMs: ['takesEffectAt', instant],
    })),
  ),
  stakedTodayMinor: ['stakedToday', amount],
  netLossTodayMinor: ['netLossToday', amount],
  serverTimeMs: ['serverTime', instant],
}))
export type PlayerLimitsView = z.output<typeof playerLimits>

const limit = z.nullable(amount.check(z.refine((minor) => minor >= 0n && minor <= 100_000_000_000_000n)))

export const limitsEndpoints = {
  readLimits: endpoint('GET', '/api/v1/user/limits', 'own-data', {
    data: playerLimits,
    summary: 'Own limits on play and what today used of them',
  }),
  setLimits: endpoint('PUT', '/api/v1/user/limits', 'player', {
    body: request(() => ({
      dailyStakeMinor: ['dailyStake', limit],
      dailyLossMinor: ['dailyLoss', limit],
      reminderMinutes: z.nullable(z.int()),
      timeoutUntilMs: ['timeoutUntil', z.nullable(askedInstant)],
    })),
    data: playerLimits,
    refusals: ['LIMIT_RANGE', 'REMINDER_RANGE', 'TIMEOUT_RANGE', 'TIMEOUT_CANNOT_SHRINK'],
    summary: 'Change own limits: lower at once, raise after 24 h',
  }),
} as const
