import type * as z from 'zod/mini'
import { textIssuesOf } from '#contract/codecs.ts'
import type { Failure, FieldProblem } from '#contract/envelope.ts'
import type { endpoints, RefusalBy } from '#contract/endpoints.ts'
import { sayingUntil, sayingWait } from '#contract/refusal-time.ts'
import { type RefusalCode, refusals } from '#contract/refusals.ts'
import { isDatabaseAway } from '#server/platform/database/transaction.ts'

/**
 * The most fields that a refusal names, and the longest name and message: malformed requests get a short answer (rules
 * §6).
 */
const FIELDS_MAX = 20
const PATH_CHARS_MAX = 60
const MESSAGE_CHARS_MAX = 120
/** The answer to a refused request is never larger, however many details it has. */
const FAILURE_BYTES_MAX = 16 * 1024
/** Whole seconds until an unreachable database may be back: a failover takes a few. */
const DATABASE_RETRY_S = 2

/**
 * An expected refusal: a value that a command returns, or an error that leaves a transaction. It has no stack, because
 * it is no fault and refusals come by the thousand.
 */
export class Refused<Code extends RefusalCode = RefusalCode> extends Error {
  override readonly name = 'Refused'
  readonly code: Code
  /** Sent to the client unchanged. */
  readonly details: unknown
  /** Whole seconds after which a retry makes sense; sent as the Retry-After header. */
  readonly retryAfterS: number | undefined

  constructor(code: Code, details?: unknown, retryAfterS?: number, untilMs?: number) {
    const limit = Error.stackTraceLimit
    Error.stackTraceLimit = 0
    super(sentenceOf(code, retryAfterS, untilMs))
    Error.stackTraceLimit = limit
    this.code = code
    this.details = details
    this.retryAfterS = retryAfterS
  }
}

/** `return refuse('STALE')` in a command or handler. Only a shared refusal may be thrown: types do not show throws. */
export const refuse = <const Code extends RefusalCode>(
  code: Code,
  details?: unknown,
  retryAfterS?: number,
): Refused<Code> => new Refused(code, details, retryAfterS)

/** Like `refuse`, with the moment until which it holds in its sentence, where that is known. */
export const refuseUntil = <const Code extends RefusalCode>(
  code: Code,
  untilMs: number | null | undefined,
  retryAfterS?: number,
): Refused<Code> => new Refused(code, undefined, retryAfterS, untilMs ?? undefined)

function sentenceOf(code: RefusalCode, waitS: number | undefined, untilMs: number | undefined): string {
  const { message } = refusals[code]
  if (untilMs !== undefined) return sayingUntil(message, untilMs)
  return waitS === undefined ? message : sayingWait(message, waitS)
}

export type RefusedBy<Name extends keyof typeof endpoints> = Refused<RefusalBy<Name>>

/** Malformed fields: 400 with each field's name and problem (rules §6). */
export const refuseFields = (...fields: FieldProblem[]): Refused<'BAD_REQUEST'> =>
  refuse('BAD_REQUEST', detailsOf(fields))

/**
 * The refusal for the issues that a schema found in a request. A text that cannot be stored has a refusal of its own:
 * 422 (rules §6.2).
 */
export function refuseIssues(error: z.core.$ZodError): Refused<'BAD_REQUEST' | 'TEXT_INVALID'> {
  const texts = textIssuesOf(error)
  return texts.length > 0
    ? refuse('TEXT_INVALID', detailsOf(texts.flatMap(problemsOf)))
    : refuseFields(...error.issues.flatMap(problemsOf))
}

function problemsOf(issue: z.core.$ZodIssue): FieldProblem[] {
  const paths = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path]
  return paths.map((path) => ({ path: path.map(String).join('.'), message: issue.message }))
}

/** Names the first 20 fields, in short texts. */
const detailsOf = (fields: readonly FieldProblem[]) => ({
  fields: fields.slice(0, FIELDS_MAX).map(({ path, message }) => ({
    path: cut(path, PATH_CHARS_MAX),
    message: cut(message, MESSAGE_CHARS_MAX),
  })),
})

/** Names of fields are the sender's own words: half a character in one, or one that is cut here, is replaced. */
const cut = (text: string, chars: number): string =>
  (text.length > chars ? `${text.slice(0, chars - 1)}…` : text).toWellFormed()

export const isRefused = (value: unknown): value is Refused => value instanceof Refused

/** The answer while the database does not answer, in time or at all. */
export const databaseAway = (): Refused<'DATABASE_AWAY'> => refuse('DATABASE_AWAY', undefined, DATABASE_RETRY_S)

/**
 * The answer to an expected error: a refusal is its own answer, a database that cannot be reached is a 503 with
 * Retry-After (rules §6). Null for a fault of ours.
 */
export function refusalIn(error: unknown): Refused | null {
  if (isRefused(error)) return error
  return isDatabaseAway(error) ? databaseAway() : null
}

/** The JSON text of a failed call's answer: at most 16 KiB; the details are left out where they would exceed that. */
export function failureJson({ code, message, details }: Refused): string {
  const failure: Failure = { statusCode: refusals[code].status, code, message }
  if (details === undefined) return JSON.stringify(failure)
  const json = JSON.stringify({ ...failure, details })
  return Buffer.byteLength(json) <= FAILURE_BYTES_MAX ? json : JSON.stringify(failure)
}
