import { queryOptions } from '@tanstack/react-query'
import { statisticsEndpoints, type Statistics } from '#contract/statistics.ts'
import { callEndpoint, withoutServerTime } from '#web/platform/api.ts'
import type { DayRange } from './range.ts'

/** The answer and the range that it is of: while another one loads, pictures still draw this one. */
export type OwnStatistics = Omit<Statistics, 'serverTimeMs'> & { readonly range: DayRange }
export type StatisticsDay = OwnStatistics['days'][number]

export const statisticsKey = ['statistics'] as const

/** The own statistics over a range of days (rules §6.8). */
export const statisticsQuery = (range: DayRange) =>
  queryOptions({
    queryKey: [...statisticsKey, range],
    queryFn: async ({ signal }): Promise<OwnStatistics> => {
      const { from, to } = range
      const query = { ...(from !== null && { from }), ...(to !== null && { to }) }
      return { ...withoutServerTime(await callEndpoint(statisticsEndpoints.readStatistics, { query, signal })), range }
    },
  })
