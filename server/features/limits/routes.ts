import { limitsEndpoints } from '#contract/player-limits.ts'
import type { Database } from '#server/platform/database/db.ts'
import type { Api } from '#server/platform/http/http.ts'
import { readLimitsView } from './queries.ts'
import { setLimits } from './set-limits.ts'

export function registerLimits(api: Api, db: Database): void {
  api.handle(limitsEndpoints.readLimits, ({ subject }) => readLimitsView(db, subject.userId))
  api.handle(
    limitsEndpoints.setLimits,
    async ({ subject, body }) => (await setLimits(db, subject, body)) ?? readLimitsView(db, subject.userId),
  )
}
