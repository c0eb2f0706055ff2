import * as z from 'zod/mini'
import { askedInstant, idList, queryInt, text } from './codecs.ts'

/** Query parameters of every list (rules §6). `sort` is a column name, with `-` before it for descending. */
export const listQuery = {
  page: z.optional(queryInt),
  limit: z.optional(queryInt),
  sort: z.optional(text.check(z.maxLength(40))),
}

/**
 * For lists that rows leave: the ids of all rows of the filters, as of one moment and beside the page; then rows by these
 * ids alone, whatever they are like by then.
 */
export const wholeQuery = { whole: z.optional(z.enum(['ids'])), ids: z.optional(idList) }

/** In [from, to). */
export const timeQuery = { from: z.optional(askedInstant), to: z.optional(askedInstant) }
