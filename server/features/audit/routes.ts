import { backOfficeEndpoints } from '#contract/back-office.ts'
import type { Database } from '#server/platform/database/db.ts'
import type { Api } from '#server/platform/http/http.ts'
import { answerList } from '#server/platform/http/lists.ts'
import { ACTS, listActs } from './queries.ts'

/** Registers GET /audit-log. With `beforeSeq` in the query, rows added between two calls do not move the pages. */
export function registerAudit(api: Api, db: Database): void {
  api.handle(backOfficeEndpoints.listAudit, ({ query, subject }) =>
    answerList(db, ACTS, query, (_, asked) => listActs(db, subject, asked)),
  )
}
