import { statisticsEndpoints } from '#contract/statistics.ts'
import type { Database } from '#server/platform/database/db.ts'
import type { Api } from '#server/platform/http/http.ts'
import { readStatistics } from './read-statistics.ts'

export function registerStatistics(api: Api, db: Database): void {
  api.handle(statisticsEndpoints.readStatistics, ({ subject, query }) =>
    readStatistics(db, subject.userId, { from: query.from ?? null, to: query.to ?? null }),
  )
}
