import { statisticsEndpoints, type Statistics } from '#contract/statistics.ts'
import { withoutServerTime } from '#web/platform/api.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'
import type { DayRange } from './range.ts'

/** Statistics with their range. While another range loads, the old statistics stay on screen with the old range. */
export type OwnStatistics = Omit<Statistics, 'serverTimeMs'> & { readonly range: DayRange }

export const statisticsKey = ['statistics'] as const

/** A player's own statistics (rules §6.8). */
export const statisticsQuery = (range: DayRange) => {
  const { from, to } = range
  const query = { ...(from !== null && { from }), ...(to !== null && { to }) }
  const read = (answer: Statistics): OwnStatistics => ({ ...withoutServerTime(answer), range })
  return endpointQuery(statisticsKey, statisticsEndpoints.readStatistics, { query }, read)
}
