import type { FieldProblem } from '#contract/envelope.ts'
import { type Refusal, refusals } from '#contract/refusals.ts'

/**
 * An expected refusal: a value that a command answers, or an error that leaves a transaction. It carries no stack,
 * since it is no fault and refusals come by the thousand.
 */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly code: Refusal
  /** Goes to the client as it is. */
  readonly details: unknown
  /** Whole seconds after which trying again makes sense; becomes the Retry-After header. */
  readonly retryAfterS: number | undefined

  constructor(code: Refusal, details?: unknown, retryAfterS?: number) {
    const limit = Error.stackTraceLimit
    Error.stackTraceLimit = 0
    super(refusals[code].message)
    Error.stackTraceLimit = limit
    this.code = code
    this.details = details
    this.retryAfterS = retryAfterS
  }
}

/** `return refuse('STALE')` in a command or handler; `throw refuse('STALE')` to roll a transaction back. */
export const refuse = (code: Refusal, details?: unknown, retryAfterS?: number): Refused =>
  new Refused(code, details, retryAfterS)

/** A malformed field that a schema alone could not see: 400 with where and what (rules §6). */
export const refuseFields = (...fields: FieldProblem[]): Refused => refuse('BAD_REQUEST', { fields })

export const isRefused = (value: unknown): value is Refused => value instanceof Refused
