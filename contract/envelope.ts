import * as z from 'zod/mini'

/** Beside a list's `data`. `total` is exact to 10,000 and capped beyond (rules §6). */
export const meta = z.object({
  total: z.int(),
  totalCapped: z.optional(z.boolean()),
  page: z.int(),
  limit: z.int(),
  hasMore: z.boolean(),
})
export type Meta = z.output<typeof meta>

/** What a failed call answers; `code` is one of the refusals, `details` names fields or facts. */
export const failure = z.object({
  statusCode: z.int(),
  code: z.string(),
  message: z.string(),
  details: z.optional(z.unknown()),
})
export type Failure = z.output<typeof failure>

/** A field that broke a rule, in `details.fields`: where, and what to tell the person. */
export interface FieldProblem {
  readonly path: string
  readonly message: string
}
