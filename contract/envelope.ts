import * as z from 'zod/mini'

/** The `meta` beside a list's `data`. `total` is exact to 10,000 and capped beyond (rules §6). */
export const meta = z.object({
  total: z.int(),
  totalCapped: z.optional(z.boolean()),
  page: z.int(),
  limit: z.int(),
  hasMore: z.boolean(),
  /** ISO; in an order that is kept apart from the rows and may lag behind them: the time that it speaks of. */
  orderedAt: z.optional(z.string()),
})
export type Meta = z.output<typeof meta>

/** The answer to a failed call; `code` is one of the refusals, `details` has fields or facts. */
export const failure = z.object({
  statusCode: z.int(),
  code: z.string(),
  message: z.string(),
  details: z.optional(z.unknown()),
})
export type Failure = z.output<typeof failure>

/** A field that broke a rule, in `details.fields`: its name, and the message for the person. */
export interface FieldProblem {
  readonly path: string
  readonly message: string
}
