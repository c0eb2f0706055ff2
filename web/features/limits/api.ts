import { useQueryClient } from '@tanstack/react-query'
import { limitsEndpoints, type PlayerLimitsView } from '#contract/player-limits.ts'
import type { LimitsState, PlayerLimits } from '#domain/game/limits.ts'
import { callEndpoint, withoutServerTime } from '#web/platform/api.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'

export type Limits = Omit<PlayerLimitsView, 'serverTimeMs'>

export const limitsQuery = endpointQuery(['limits'], limitsEndpoints.readLimits, {}, (answer): Limits =>
  withoutServerTime(answer),
)

export const stateOf = ({
  dailyStakeMinor,
  dailyLossMinor,
  reminderMinutes,
  timeoutUntilMs,
  pending,
}: Limits): LimitsState => ({
  limits: { dailyStakeMinor, dailyLossMinor, reminderMinutes, timeoutUntilMs },
  pending,
})

/** Returns a function that saves changed limits and puts the limits of the answer into the cache. */
export function useSaveLimits(): (changes: Partial<PlayerLimits>) => Promise<Limits> {
  const queryClient = useQueryClient()
  return async (changes) => {
    // The server expects all limits at once. The cached limits may be outdated, so all limits are fetched first.
    const { limits } = stateOf(await queryClient.query({ ...limitsQuery, staleTime: 0 }))
    const answer = callEndpoint(limitsEndpoints.setLimits, { body: { ...limits, ...changes } })
    // The limits may be set although the answer was lost (rules §3.5).
    answer.catch(() => queryClient.invalidateQueries(limitsQuery))
    const saved = withoutServerTime(await answer)
    queryClient.setQueryData(limitsQuery.queryKey, saved)
    return saved
  }
}
