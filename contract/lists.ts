import * as z from 'zod/mini'
import { queryInt } from './codecs.ts'

/** Query parameters every list takes (rules §6). `sort` is a column name, `-` before it for descending. */
export const listQuery = {
  page: z.optional(queryInt),
  limit: z.optional(queryInt),
  sort: z.optional(z.string().check(z.maxLength(40))),
}
