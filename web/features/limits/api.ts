import { queryOptions } from '@tanstack/react-query'
import { limitsEndpoints, type PlayerLimitsView } from '#contract/player-limits.ts'
import type { PlayerLimits } from '#domain/game/limits.ts'
import { callEndpoint, withoutServerTime } from '#web/platform/api.ts'

export type Limits = Omit<PlayerLimitsView, 'serverTimeMs'>

/** The player's limits, today's usage of them, and a pending raise (rules §6). */
export const limitsQuery = queryOptions({
  queryKey: ['limits'],
  queryFn: async ({ signal }): Promise<Limits> =>
    withoutServerTime(await callEndpoint(limitsEndpoints.readLimits, { signal })),
})

export const saveLimits = async (wish: PlayerLimits): Promise<Limits> =>
  withoutServerTime(await callEndpoint(limitsEndpoints.setLimits, { body: wish }))
