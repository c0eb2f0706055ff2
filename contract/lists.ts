import * as z from 'zod/mini'
import { queryInt } from './codecs.ts'

/** Query parameters of every list (rules §6). `sort` is a column name, with `-` before it for descending. */
export const listQuery = {
  page: z.optional(queryInt),
  limit: z.optional(queryInt),
  sort: z.optional(z.string().check(z.maxLength(40))),
}
