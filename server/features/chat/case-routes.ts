import { careCaseEndpoints } from '#contract/care-cases.ts'
import { careReportEndpoints } from '#contract/care-report.ts'
import { dayAfter } from '#domain/day.ts'
import { REPORT_DAYS_MAX } from '#domain/chat/case.ts'
import type { Api } from '#server/platform/http/http.ts'
import { refuseFields } from '#server/platform/http/errors.ts'
import { createCareReport } from './care-report.ts'
import { changeTopic, rateCase, readCaseQuestion } from './cases.ts'
import { following } from './merged.ts'
import type { ChatContext } from './ports.ts'

export function registerCaseRoutes(api: Api, context: ChatContext): void {
  const { db } = context
  api.handle(careCaseEndpoints.changeTopic, ({ subject, params, body }) =>
    following(db, params.id, (id) => changeTopic(context, subject, id, body.topic)),
  )
  api.handle(careCaseEndpoints.readCaseQuestion, ({ subject, params }) =>
    following(db, params.id, (id) => readCaseQuestion(db, id, subject.userId)),
  )
  api.handle(careCaseEndpoints.rateCase, ({ subject, params, body }) =>
    following(db, params.id, (id) => rateCase(context, subject, id, body)),
  )
  const readCareReport = createCareReport(db)
  api.handle(careReportEndpoints.careReport, ({ query: { from, to } }) => {
    if (to < from) return refuseFields({ path: 'to', message: 'Ngày cuối phải từ ngày đầu trở đi' })
    if (to >= dayAfter(from, REPORT_DAYS_MAX))
      return refuseFields({ path: 'to', message: `Khoảng thời gian dài nhất là ${REPORT_DAYS_MAX} ngày` })
    return readCareReport(from, to)
  })
}
