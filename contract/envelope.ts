import * as z from 'zod/mini'
import { json, text } from './codecs.ts'

/** The `meta` beside a list's `data`. `total` is exact up to 10,000 and capped beyond (rules §6.1). */
export const meta = z.object({
  total: z.int(),
  totalCapped: z.optional(z.boolean()),
  page: z.int(),
  limit: z.int(),
  hasMore: z.boolean(),
  /** With `whole=ids` in the query: the ids of all rows as of one moment, at most 10,001 (rules §6.1). */
  ids: z.optional(z.array(text)),
  /** Of a list that takes `after`: where its next page begins. Absent on the last page, and of any other list. */
  next: z.optional(text),
  /** ISO time of the totals by which the rows are sorted. Absent if the rows are not sorted by totals. */
  orderedAt: z.optional(text),
})
export type Meta = z.output<typeof meta>

export const failure = z.object({
  statusCode: z.int(),
  code: text,
  message: text,
  details: z.optional(json),
})
export type Failure = z.output<typeof failure>

export interface FieldProblem {
  readonly path: string
  readonly message: string
}
