import { careEndpoints } from '#contract/care.ts'
import { careCaseEndpoints } from '#contract/care-cases.ts'
import { careReportEndpoints } from '#contract/care-report.ts'
import { REPORT_DAYS_MAX } from '#domain/chat/case.ts'
import { dayAfter } from '#domain/day.ts'
import { recordAct } from '#server/features/audit/index.ts'
import { judgeAgain } from '#server/platform/http/auth.ts'
import { isRefused, refuse, refuseFields } from '#server/platform/http/errors.ts'
import { type Api, FileAnswer } from '#server/platform/http/http.ts'
import { createCareReport } from './care-report.ts'
import { changeTopic, rateCase, readCaseQuestion } from './cases.ts'
import { readHours, setHours } from './hours.ts'
import { following } from './merged.ts'
import type { ChatDeps } from './ports.ts'
import { readTranscriptScope, writeTranscript } from './transcript.ts'

/** Transcripts that an admin may download per hour. */
const PER_HOUR = 60
/** Transcripts that one process writes at a time for all admins, because each keeps messages in memory. */
const AT_ONCE = 8
/** Retry-After of a refusal while too many transcripts are being written. */
const RETRY_S = 10

export function registerCareRoutes(api: Api, { db, hub, limits }: ChatDeps): void {
  api.handle(careEndpoints.readHours, () => readHours(db))
  api.handle(careEndpoints.setHours, ({ subject, body }) => setHours(db, subject, body))

  const perHour = limits.limit('transcript', PER_HOUR, 3_600)
  const running = new Set<string>()
  api.handle(careEndpoints.readTranscript, async ({ subject, params }) => {
    const { userId } = subject
    if (running.has(userId) || running.size >= AT_ONCE) return refuse('TOO_MANY_REQUESTS', undefined, RETRY_S)
    running.add(userId)
    const end = () => void running.delete(userId)
    let isBegun = false
    try {
      const waitS = await perHour.take(userId)
      if (waitS !== null) return refuse('TOO_MANY_REQUESTS', undefined, waitS)
      const read = async (id: string) => (await readTranscriptScope(db, id)) ?? refuse('CONVERSATION_NOT_FOUND')
      const scope = await following(db, params.id, read)
      if (isRefused(scope)) return scope
      const target = `conversation:${scope.conversationId}`
      const after = { messages: scope.lastSeq }
      await db.tx((tx) => recordAct(tx, userId, 'chat.transcript', target, { after }))
      const text = writeTranscript(db, scope, () => judgeAgain(db, careEndpoints.readTranscript, subject), end)
      isBegun = true
      return new FileAnswer(text, 'text/plain; charset=utf-8', `tro-chuyen-${scope.playerName}.txt`)
    } finally {
      if (!isBegun) end()
    }
  })

  api.handle(careCaseEndpoints.changeTopic, ({ subject, params, body }) =>
    following(db, params.id, (id) => changeTopic({ db, hub }, subject, id, body.topic)),
  )
  api.handle(careCaseEndpoints.readCaseQuestion, ({ subject, params }) =>
    following(db, params.id, (id) => readCaseQuestion(db, id, subject.userId)),
  )
  api.handle(careCaseEndpoints.rateCase, ({ subject, params, body }) =>
    following(db, params.id, (id) => rateCase({ db }, subject, id, body)),
  )
  const readCareReport = createCareReport(db)
  api.handle(careReportEndpoints.careReport, ({ query: { from, to } }) => {
    if (to < from) return refuseFields({ path: 'to', message: 'Ngày cuối phải từ ngày đầu trở đi' })
    if (to >= dayAfter(from, REPORT_DAYS_MAX))
      return refuseFields({ path: 'to', message: `Khoảng thời gian dài nhất là ${REPORT_DAYS_MAX} ngày` })
    return readCareReport(from, to)
  })
}
