import type { endpoints, RefusalBy } from '#contract/endpoints.ts'
import { readRefusal, type RefusalCode } from '#contract/refusals.ts'
import { leaveIfOver } from './session.ts'
import { isSessionOver } from './storage.ts'
import { commonTexts } from './texts.ts'

/**
 * Error codes that the page sets itself: for a call without an answer (no response, or a timeout), for an answer that
 * the page can't read, for an act that may be done (`unsureOf`), and for a call after the end of the page's session.
 */
export const clientErrorCodes = {
  noResponse: 'NO_RESPONSE',
  timedOut: 'TIMED_OUT_LOCALLY',
  unreadable: 'UNREADABLE',
  unsure: 'UNSURE',
  sessionOver: 'SESSION_OVER',
} as const

/**
 * Codes that the contract does not list for a call. UNKNOWN stands for any such code from the server. HTTP_…: the
 * answer has no code, for example an answer of a proxy. `clientErrorCodes`: set by the page.
 */
export type OtherCode = (typeof clientErrorCodes)[keyof typeof clientErrorCodes] | 'UNKNOWN' | `HTTP_${number}`

const readCode = (code: unknown, status: number, named: readonly RefusalCode[] = []): RefusalCode | OtherCode =>
  typeof code === 'string' ? readRefusal(code, named) : `HTTP_${status}`

/** `status` is 0 without an HTTP answer; `message` is the Vietnamese sentence to show. */
export class ApiError extends Error {
  readonly status: number
  readonly code: RefusalCode | OtherCode
  readonly details: unknown
  readonly retryAfterMs: number | undefined

  constructor(
    fields: Pick<ApiError, 'status' | 'code' | 'message'> &
      Partial<Pick<ApiError, 'details' | 'retryAfterMs' | 'cause'>>,
  ) {
    super(fields.message, { cause: fields.cause })
    this.name = 'ApiError'
    this.status = fields.status
    this.code = fields.code
    this.details = fields.details
    this.retryAfterMs = fields.retryAfterMs
  }
}

export type CodeOf<Name extends keyof typeof endpoints> = RefusalBy<Name> | OtherCode

/** Returns the error, typed with the codes that the call `Name` can get; undefined if it is not an `ApiError`. */
export const refusalOf = <Name extends keyof typeof endpoints>(
  error: unknown,
): (ApiError & { readonly code: CodeOf<Name> }) | undefined =>
  error instanceof ApiError ? (error as ApiError & { readonly code: CodeOf<Name> }) : undefined

/**
 * Returns the sentence to show about a failed act (spec §8): the `ApiError`'s message, or `fallback` for other errors
 * and for answers that are unreadable or have no code. If no answer came, the error's message follows `fallback`, but
 * for an act, which may be done (rules §3.5).
 */
export function failureText(error: unknown, fallback: string): string {
  if (!(error instanceof ApiError)) return fallback
  if (error.code === clientErrorCodes.unsure) return error.message
  if (error.status === 0)
    return fallback.endsWith('.') ? `${fallback} ${error.message}` : `${fallback}. ${error.message}`
  return hasSentence(error) ? error.message : fallback
}

const hasSentence = ({ code }: ApiError) => code !== clientErrorCodes.unreadable && !code.startsWith('HTTP_')

/** Returns true for no response, a 408 or a 5xx (spec §7). */
export function isRetryable(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  return error.status === 0 || error.status === 408 || (error.status >= 500 && error.status <= 599)
}

/** Returns true if the server may have executed the failed act. A 2xx that this page can't read says that it has. */
export const mayBeDone = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status < 300 || isRetryable(error)

/** Returns the error to throw for a failed act: if its answer was lost, the error says that the act may be done. */
export function unsureOf(error: unknown): unknown {
  if (!(error instanceof ApiError) || !mayBeDone(error) || (error.status !== 0 && hasSentence(error))) return error
  return new ApiError({
    status: error.status,
    code: clientErrorCodes.unsure,
    message: commonTexts.unsure,
    retryAfterMs: error.retryAfterMs,
    cause: error,
  })
}

/** Returns true if the server failed unexpectedly (HTTP 500). */
export const isUnexpected = (error: unknown): boolean => error instanceof ApiError && error.code === 'INTERNAL'

/**
 * Leaves the page and throws if the page's session is over. Otherwise the page could send calls with the token of the
 * user who signed in next in another tab, and show answers that belong to that user.
 */
export function assertSessionStands(): void {
  if (!isSessionOver()) return
  leaveIfOver()
  throw new ApiError({ status: 401, code: clientErrorCodes.sessionOver, message: commonTexts.somethingWrong })
}

/**
 * Runs `work` with a new signal, which aborts after `timeoutMs` and when `signal` aborts. An error of `work` that is no
 * `ApiError` becomes the `ApiError` of `noAnswer`, unless `signal` has aborted: then the error is thrown unchanged.
 */
export async function answeredWithin<Answer>(
  timeoutMs: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  // `AbortSignal.any` could combine the timeout with `signal`, but is missing in Safari before 17.4.
  const controller = new AbortController()
  let hasTimedOut = false
  const timer = setTimeout(() => {
    hasTimedOut = true
    controller.abort()
  }, timeoutMs)
  const passOn = () => controller.abort(signal?.reason)
  if (signal?.aborted) passOn()
  signal?.addEventListener('abort', passOn)
  try {
    return await work(controller.signal)
  } catch (cause) {
    if (cause instanceof ApiError || signal?.aborted) throw cause
    throw noAnswer(hasTimedOut, cause)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', passOn)
  }
}

export const noAnswer = (hasTimedOut: boolean, cause?: unknown): ApiError =>
  hasTimedOut
    ? new ApiError({ status: 0, code: clientErrorCodes.timedOut, message: commonTexts.serverTooSlow, cause })
    : new ApiError({ status: 0, code: clientErrorCodes.noResponse, message: commonTexts.serverUnreachable, cause })

export type AnswerHead = { readonly status: number; readonly headers: Pick<Headers, 'get'> }

/** Reads `{ code, message, details }` (rules §6.2). A body without a message gets a general sentence. */
export function toApiError(response: AnswerHead, body: unknown, named: readonly RefusalCode[] | undefined): ApiError {
  const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  const retryAfterSeconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  const sentence =
    typeof fields['message'] === 'string' && fields['message'] !== '' ? fields['message'] : commonTexts.somethingWrong
  const code = readCode(fields['code'], response.status, named)
  const requestId = response.headers.get('x-request-id')
  return new ApiError({
    status: response.status,
    code,
    // With the request's id, an operator can find the log line that explains the failure.
    message: code === 'INTERNAL' && requestId ? commonTexts.withRequestId(sentence, requestId) : sentence,
    details: fields['details'],
    retryAfterMs: Number.isFinite(retryAfterSeconds) ? retryAfterSeconds * 1000 : undefined,
  })
}

/** Returns a random key. `randomUUID` exists only in secure contexts, so plain http in a LAN needs the fallback. */
export function newIdempotencyKey(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
