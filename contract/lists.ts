import * as z from 'zod/mini'
import { instant, queryInt } from './codecs.ts'

/** Query parameters of every list (rules §6). `sort` is a column name, with `-` before it for descending. */
export const listQuery = {
  page: z.optional(queryInt),
  limit: z.optional(queryInt),
  sort: z.optional(z.string().check(z.maxLength(40))),
}

/** Filters of staff's lists, as far as a list has them. */

/** A user's whole name, in any case. */
export const nameQuery = z.optional(z.string().check(z.maxLength(64)))
/** In [from, to). */
export const timeQuery = { from: z.optional(instant), to: z.optional(instant) }
/** From `min` through `max` whole points. */
export const amountQuery = { min: z.optional(queryInt), max: z.optional(queryInt) }
