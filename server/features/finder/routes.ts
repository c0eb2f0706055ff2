import { finderEndpoints } from '#contract/finder.ts'
import { readQuestion } from '#domain/finder/question.ts'
import type { Database } from '#server/platform/database/db.ts'
import type { Api } from '#server/platform/http/http.ts'
import { find } from './queries.ts'

/** The route of the finder (rules §6.14). */
export function registerFinder(api: Api, db: Database): void {
  api.handle(finderEndpoints.find, ({ subject, query: { q } }) => find(db, subject, readQuestion(q)))
}
