import { useQueryClient } from '@tanstack/react-query'
import { limitsEndpoints, type PlayerLimitsView } from '#contract/player-limits.ts'
import type { PlayerLimits } from '#domain/game/limits.ts'
import { callEndpoint, withoutServerTime } from '#web/platform/api.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'

export type Limits = Omit<PlayerLimitsView, 'serverTimeMs'>

/** The player's limits, today's usage of them, and a pending raise (rules §6). */
export const limitsQuery = endpointQuery(['limits'], limitsEndpoints.readLimits, {}, (answer): Limits =>
  withoutServerTime(answer),
)

/** Saves all limits together, and shows those in the answer. */
export function useSaveLimits(): (wish: PlayerLimits) => Promise<void> {
  const queryClient = useQueryClient()
  return async (wish) => {
    const saved = await callEndpoint(limitsEndpoints.setLimits, { body: wish })
    queryClient.setQueryData(limitsQuery.queryKey, withoutServerTime(saved))
  }
}
