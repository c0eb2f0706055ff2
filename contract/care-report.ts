import * as z from 'zod/mini'
import { REPORT_DAYS_MAX } from '#domain/chat/case.ts'
import { caseTopic } from './chat.ts'
import { answer, day, person, query } from './codecs.ts'
import { endpoint } from './endpoint.ts'

/** How long something took, in ms, by the nearest rank; null where nothing was measured. */
const duration = answer(() => ({
  count: z.int(),
  medianMs: ['median', z.nullable(z.int())],
  /** The 90th percentile: nine of ten took at most this long. */
  p90Ms: ['p90', z.nullable(z.int())],
}))
export type CareDuration = z.output<typeof duration>

/** Figures about cases that are done. */
const ends = {
  /** From its first message to done. */
  resolution: duration,
  /** Cases whose player wrote again within 24 hours. */
  reopened: z.int(),
  /** Cases whose player answered whether it helped, and among them those where it did. */
  rated: z.int(),
  good: z.int(),
} as const

/** Figures about cases that began within a range or are about a topic. */
const counts = {
  cases: z.int(),
  /** From a case's first message to staff's next one. */
  firstReply: duration,
  ...ends,
} as const

const total = answer(() => counts)
export type CareCounts = z.output<typeof total>

const careReport = answer(() => ({
  total,
  /** Every day of the range that has begun, oldest first; empty ones are there with zeros. */
  days: z.array(answer(() => ({ day, ...counts }))),
  /** The topics that have cases, the most frequent first; null is a case without a topic. */
  topics: z.array(answer(() => ({ topic: z.nullable(caseTopic), ...counts }))),
  /** The admins who replied first to a case or were done with one, by name. */
  admins: z.array(
    answer(() => ({
      admin: person,
      /** First replies of this admin. */
      firstReply: duration,
      /** The rest is of cases that this admin was done with. */
      ...ends,
    })),
  ),
}))
export type CareReport = z.output<typeof careReport>

export const careReportEndpoints = {
  careReport: endpoint('GET', '/api/v1/chat/care-report', 'staff:care', {
    /** Both days included, at most REPORT_DAYS_MAX of them. */
    query: query(() => ({ from: day, to: day })),
    data: careReport,
    summary: `Cases of customer care by day in Vietnam, topic and admin, of at most ${REPORT_DAYS_MAX} days`,
  }),
} as const
