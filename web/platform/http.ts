import { leaveIfOver } from './session.ts'
import { isSessionOver } from './storage.ts'
import { commonTexts } from './texts.ts'

/** What can go wrong between this page and the server, and what a person reads about it (spec §7, §8). */

/** Codes for what never reached the server or came back unreadable; every other code is the server's own (rules §6). */
export const clientErrorCodes = {
  noResponse: 'NO_RESPONSE',
  timedOut: 'TIMED_OUT_LOCALLY',
  unreadable: 'UNREADABLE',
  sessionOver: 'SESSION_OVER',
} as const

/**
 * A call that failed. `status` is the HTTP status, 0 when no answer came. `code` is stable UPPER_SNAKE, `message` the
 * Vietnamese sentence to show, `details` what the server added.
 */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly details: unknown
  /** From Retry-After on a 429 or 503. */
  readonly retryAfterMs: number | undefined

  constructor(fields: {
    status: number
    code: string
    message: string
    details?: unknown
    retryAfterMs?: number | undefined
    cause?: unknown
  }) {
    super(fields.message, { cause: fields.cause })
    this.name = 'ApiError'
    this.status = fields.status
    this.code = fields.code
    this.details = fields.details
    this.retryAfterMs = fields.retryAfterMs
  }
}

/**
 * The sentence to show for a failed act: the server's own, else `fallback` (spec §8). Where no answer came, the
 * reason stands behind the fallback, since the person may be able to mend it.
 */
export function failureText(error: unknown, fallback: string): string {
  if (!(error instanceof ApiError)) return fallback
  if (error.status === 0)
    return fallback.endsWith('.') ? `${fallback} ${error.message}` : `${fallback}. ${error.message}`
  return error.code === clientErrorCodes.unreadable || error.code.startsWith('HTTP_') ? fallback : error.message
}

/**
 * Throws once the page's session is over: nothing of this page is sent in the name of whoever signed in since, and no
 * answer that was under way reaches its screens.
 */
export function assertSessionStands(): void {
  if (!isSessionOver()) return
  leaveIfOver()
  throw new ApiError({ status: 401, code: clientErrorCodes.sessionOver, message: commonTexts.somethingWrong })
}

/** Reads `{ code, message, details }` (rules §6) where it is there; a proxy's HTML page gets the general sentence. */
export function toApiError(response: Response, body: unknown): ApiError {
  const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  const retryAfterSeconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  const sentence =
    typeof fields['message'] === 'string' && fields['message'] !== '' ? fields['message'] : commonTexts.somethingWrong
  const requestId = response.headers.get('x-request-id')
  return new ApiError({
    status: response.status,
    code: typeof fields['code'] === 'string' ? fields['code'] : `HTTP_${response.status}`,
    // Nobody expected it: with the id an operator finds the line of the log that says why.
    message: fields['code'] === 'INTERNAL' && requestId ? commonTexts.withRequestId(sentence, requestId) : sentence,
    details: fields['details'],
    retryAfterMs: Number.isFinite(retryAfterSeconds) ? retryAfterSeconds * 1000 : undefined,
  })
}

/** A fresh Idempotency-Key. `randomUUID` exists only on https and localhost, hence the fallback for a plain-http LAN. */
export function newIdempotencyKey(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
