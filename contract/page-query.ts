import * as z from 'zod/mini'
import { askedInstant, idList, queryInt, text } from './codecs.ts'

/** Query parameters of lists (rules §6.1). `sort` is a column name, with `-` in front for descending order. */
export const listQuery = {
  page: z.optional(queryInt),
  limit: z.optional(queryInt),
  sort: z.optional(text.check(z.maxLength(40))),
}

/**
 * For lists whose rows can leave while somebody reads them (rules §6.1). `whole=ids` asks for the ids of all matching
 * rows as of one moment. `ids` asks for the rows with the given ids, even if they no longer match.
 */
export const wholeQuery = { whole: z.optional(z.enum(['ids'])), ids: z.optional(idList) }

export const timeQuery = { from: z.optional(askedInstant), to: z.optional(askedInstant) }
