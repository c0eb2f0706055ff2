import type { Failure, FieldProblem } from '#contract/envelope.ts'
import type { endpoints, RefusalBy } from '#contract/endpoints.ts'
import { type RefusalCode, refusals } from '#contract/refusals.ts'
import { isDatabaseAway } from './transaction.ts'

/** Fields that a refusal names at most, and how much of each: who sends rubbish gets a short answer (rules §6). */
const FIELDS_MAX = 20
const PATH_CHARS_MAX = 60
const MESSAGE_CHARS_MAX = 120
/** No answer to a refused request is larger, whatever its details are. */
const FAILURE_BYTES_MAX = 16 * 1024
/** Whole seconds until a database that was away may well be back: a failover takes a few. */
const DATABASE_RETRY_S = 2

/**
 * An expected refusal: a value that a command answers, or an error that leaves a transaction. It carries no stack,
 * since it is no fault and refusals come by the thousand.
 */
export class Refused<Code extends RefusalCode = RefusalCode> extends Error {
  override readonly name = 'Refused'
  readonly code: Code
  /** Goes to the client as it is. */
  readonly details: unknown
  /** Whole seconds after which trying again makes sense; becomes the Retry-After header. */
  readonly retryAfterS: number | undefined

  constructor(code: Code, details?: unknown, retryAfterS?: number) {
    const limit = Error.stackTraceLimit
    Error.stackTraceLimit = 0
    super(refusals[code].message)
    Error.stackTraceLimit = limit
    this.code = code
    this.details = details
    this.retryAfterS = retryAfterS
  }
}

/** `return refuse('STALE')` in a command or handler. Only a shared refusal may be thrown: types see no throw. */
export const refuse = <const Code extends RefusalCode>(
  code: Code,
  details?: unknown,
  retryAfterS?: number,
): Refused<Code> => new Refused(code, details, retryAfterS)

/** A refusal that the endpoint of this name names. */
export type RefusedBy<Name extends keyof typeof endpoints> = Refused<RefusalBy<Name>>

/** Malformed fields: 400 with where and what (rules §6). The first 20 are named, by short texts. */
export const refuseFields = (...fields: FieldProblem[]): Refused<'BAD_REQUEST'> =>
  refuse('BAD_REQUEST', {
    fields: fields.slice(0, FIELDS_MAX).map(({ path, message }) => ({
      path: cut(path, PATH_CHARS_MAX),
      message: cut(message, MESSAGE_CHARS_MAX),
    })),
  })

const cut = (text: string, chars: number): string => (text.length > chars ? `${text.slice(0, chars - 1)}…` : text)

export const isRefused = (value: unknown): value is Refused => value instanceof Refused

/**
 * What a thrown error answers where that is foreseen: a refusal is its own answer, a database that can't be reached is
 * a 503 with Retry-After (rules §6). Null for a fault of ours.
 */
export function refusalIn(error: unknown): Refused | null {
  if (isRefused(error)) return error
  return isDatabaseAway(error) ? refuse('DATABASE_AWAY', undefined, DATABASE_RETRY_S) : null
}

/** The JSON text of a failed call's answer: at most 16 KiB, without its details where they would make it longer. */
export function failureJson({ code, message, details }: Refused): string {
  const failure: Failure = { statusCode: refusals[code].status, code, message }
  if (details === undefined) return JSON.stringify(failure)
  const json = JSON.stringify({ ...failure, details })
  return Buffer.byteLength(json) <= FAILURE_BYTES_MAX ? json : JSON.stringify(failure)
}
