import { limitsEndpoints, type PlayerLimitsView } from '#contract/player-limits.ts'
import type { Database } from '#server/platform/db.ts'
import type { Api } from '#server/platform/http.ts'
import { readOwnLimits } from './queries.ts'
import { setLimits } from './set-limits.ts'

/** GET and PUT /user/limits (rules §6). */
export function registerLimits(api: Api, db: Database): void {
  const view = async (userId: string): Promise<PlayerLimitsView> => {
    const { state, stakedTodayMinor, netLossTodayMinor, nowMs } = await readOwnLimits(db, userId)
    return { ...state.limits, pending: state.pending, stakedTodayMinor, netLossTodayMinor, serverTimeMs: nowMs }
  }
  api.handle(limitsEndpoints.readLimits, ({ subject }) => view(subject.userId))
  api.handle(
    limitsEndpoints.setLimits,
    async ({ subject, body }) => (await setLimits(db, subject, body)) ?? view(subject.userId),
  )
}
