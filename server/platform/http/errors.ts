import type * as z from 'zod/mini'
import { textIssuesOf } from '#contract/codecs.ts'
import type { Failure, FieldProblem } from '#contract/envelope.ts'
import type { endpoints, RefusalBy } from '#contract/endpoints.ts'
import { sayingUntil, sayingWait } from '#contract/refusal-time.ts'
import { type RefusalCode, refusals } from '#contract/refusals.ts'
import { isDatabaseAway } from '#server/platform/database/transaction.ts'

/** Limits of the details in a refusal, so that a request with many faults gets a short answer. */
const FIELDS_MAX = 20
const PATH_CHARS_MAX = 60
const MESSAGE_CHARS_MAX = 120
const FAILURE_BYTES_MAX = 16 * 1024
const DATABASE_RETRY_S = 2

/** An expected refusal, returned or thrown. It has no stack, because refusals are frequent and stacks are slow. */
export class Refused<Code extends RefusalCode = RefusalCode> extends Error {
  override readonly name = 'Refused'
  readonly code: Code
  readonly details: unknown
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

/** Makes a refusal to be returned. Only SHARED_REFUSALS may be thrown, because types do not show what is thrown. */
export const refuse = <const Code extends RefusalCode>(
  code: Code,
  details?: unknown,
  retryAfterS?: number,
): Refused<Code> => new Refused(code, details, retryAfterS)

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

export const refuseFields = (...fields: FieldProblem[]): Refused<'BAD_REQUEST'> =>
  refuse('BAD_REQUEST', detailsOf(fields))

/** Converts the faults that a schema found to a refusal: 422 for texts that cannot be stored, else 400 (rules §6.2). */
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

const detailsOf = (fields: readonly FieldProblem[]) => ({
  fields: fields.slice(0, FIELDS_MAX).map(({ path, message }) => ({
    path: cut(path, PATH_CHARS_MAX),
    message: cut(message, MESSAGE_CHARS_MAX),
  })),
})

/** Cuts a text, and replaces lone surrogates, which the cut may leave. */
const cut = (text: string, chars: number): string =>
  (text.length > chars ? `${text.slice(0, chars - 1)}…` : text).toWellFormed()

export const isRefused = (value: unknown): value is Refused => value instanceof Refused

export const databaseAway = (): Refused<'DATABASE_AWAY'> => refuse('DATABASE_AWAY', undefined, DATABASE_RETRY_S)

/** Returns a refusal as it is, DATABASE_AWAY for an error of a database that is away, else null. */
export function refusalIn(error: unknown): Refused | null {
  if (isRefused(error)) return error
  return isDatabaseAway(error) ? databaseAway() : null
}

export function failureJson({ code, message, details }: Refused): string {
  const failure: Failure = { statusCode: refusals[code].status, code, message }
  if (details === undefined) return JSON.stringify(failure)
  const json = JSON.stringify({ ...failure, details })
  return Buffer.byteLength(json) <= FAILURE_BYTES_MAX ? json : JSON.stringify(failure)
}
