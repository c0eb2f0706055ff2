import * as z from 'zod/mini'
import { REPORT_DAYS_MAX } from '#domain/chat/case.ts'
import { caseTopic } from './chat.ts'
import { answer, day, person, query } from './codecs.ts'
import { endpoint } from './endpoint.ts'
import { duration } from './overview-figures.ts'

export type CareDuration = z.output<typeof duration>

const ends = {
  resolution: duration,
  /** Numbers of cases: reopened by the player within 24 hours; rated; rated as helpful (rules §7.16). */
  reopened: z.int(),
  rated: z.int(),
  good: z.int(),
} as const

const counts = {
  cases: z.int(),
  /** Time from the first message of a case to the next message of staff. */
  firstReply: duration,
  ...ends,
} as const

const total = answer(() => counts)
export type CareCounts = z.output<typeof total>

const careReport = answer(() => ({
  total,
  days: z.array(answer(() => ({ day, ...counts }))),
  topics: z.array(answer(() => ({ topic: z.nullable(caseTopic), ...counts }))),
  /**
   * `firstReply` is about the cases in which this admin gave staff's first reply. The other fields are about the cases
   * that this admin marked as done.
   */
  admins: z.array(answer(() => ({ admin: person, firstReply: duration, ...ends }))),
}))
export type CareReport = z.output<typeof careReport>

export const careReportEndpoints = {
  careReport: endpoint('GET', '/api/v1/chat/care-report', 'staff:care', {
    query: query(() => ({ from: day, to: day })),
    data: careReport,
    summary: `Cases of customer care by day in Vietnam, topic and admin, of at most ${REPORT_DAYS_MAX} days`,
  }),
} as const
