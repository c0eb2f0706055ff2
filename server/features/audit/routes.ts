import { backOfficeEndpoints } from '#contract/back-office.ts'
import type { Database } from '#server/platform/db.ts'
import type { Api } from '#server/platform/http.ts'
import { COUNT_CAP, listAnswer, pageOf, sortOf } from '#server/platform/lists.ts'
import { countActs, listActs } from './queries.ts'

/** GET /audit-log: acts of staff, newest first. beforeSeq keeps pages stable while new rows arrive. */
export function registerAudit(api: Api, db: Database): void {
  api.handle(backOfficeEndpoints.listAudit, async ({ query, subject }) => {
    const page = pageOf(query)
    const sort = sortOf(query.sort, ['createdAt'], '-createdAt')
    const filter = {
      actor: query.actor ?? null,
      act: query.act ?? null,
      target: query.target ?? null,
      fromMs: query.from ?? null,
      toMs: query.to ?? null,
      beforeSeq: query.beforeSeq ?? null,
    }
    const [rows, counted] = await Promise.all([
      listActs(db, subject.userId, filter, sort.isDescending, page),
      countActs(db, filter, COUNT_CAP),
    ])
    return listAnswer(rows, counted, page)
  })
}
