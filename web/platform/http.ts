import { type EarlyAnswer, takeEarlyAnswer } from './early-calls.ts'
import { endSession, leaveIfOver } from './session.ts'
import { isSessionOver, readAccessToken } from './storage.ts'
import { commonTexts } from './texts.ts'

/**
 * One door to the server (spec §7): JSON both ways, the bearer token read from storage at each call, every failure
 * turned into an `ApiError`. It knows no endpoint and decodes no body: that is the features' `api.ts` with the contract.
 */

export type HttpMethod = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

export type HttpRequest = {
  readonly method: HttpMethod
  /** Path with its leading slash, already filled in: `/api/v1/history/42`. */
  readonly path: string
  /** Undefined values are left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined
  /** Sent as JSON, or as it is when a FormData (file upload). */
  readonly body?: unknown
  /** Says nothing of who is signed in: what anybody may ask. */
  readonly isPublic?: boolean | undefined
  /** On behalf of this session instead of the page's own. */
  readonly token?: string | undefined
  /** Money POSTs always carry one (rules §3); the same key is used when the same act is tried again. */
  readonly idempotencyKey?: string | undefined
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number | undefined
}

export type HttpAnswer = {
  readonly status: number
  /** The parsed JSON body, `undefined` when the answer had none. */
  readonly body: unknown
  /** `Date.now()` when the request left and when the answer had arrived, for server-time.ts. */
  readonly sentAtMs: number
  readonly receivedAtMs: number
}

/** The server's time-out for a call is not the spec's to give; a person waits this long at most. */
const defaultTimeoutMs = 15_000

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
 * What to tell about a failed act: the server's own sentence, else `fallback` (spec §8). Where no answer came, the
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

/**
 * Sends one request and gives the answer of a 2xx. Anything else throws an `ApiError`; an abort by the caller's own
 * signal throws that signal's reason, as fetch does, since it is no failure. A 401 to the token in use ends the page's
 * session.
 */
export async function sendRequest(request: HttpRequest): Promise<HttpAnswer> {
  const isOfPage = request.isPublic !== true && request.token === undefined
  if (isOfPage) assertSessionStands()
  const token = isOfPage ? readAccessToken() : (request.token ?? null)
  const form = request.body instanceof FormData ? request.body : undefined
  const headers = new Headers({ accept: 'application/json' })
  if (token !== null) headers.set('authorization', `Bearer ${token}`)
  if (request.body !== undefined && form === undefined) headers.set('content-type', 'application/json')
  if (request.idempotencyKey !== undefined) headers.set('idempotency-key', request.idempotencyKey)

  // One controller for both reasons to stop. AbortSignal.any would be shorter, but Safari has it only since 17.4.
  const controller = new AbortController()
  let hasTimedOut = false
  const timer = setTimeout(() => {
    hasTimedOut = true
    controller.abort()
  }, request.timeoutMs ?? defaultTimeoutMs)
  const passOn = () => controller.abort(request.signal?.reason)
  if (request.signal?.aborted) passOn()
  request.signal?.addEventListener('abort', passOn)

  const path = request.path + writeQuery(request.query)
  const send = async (): Promise<EarlyAnswer> => {
    const sentAtMs = Date.now()
    const response = await fetch(path, {
      method: request.method,
      headers,
      body: form ?? (request.body === undefined ? null : JSON.stringify(request.body)),
      signal: controller.signal,
    })
    return { response, text: await response.text(), sentAtMs, receivedAtMs: Date.now() }
  }
  let answer: EarlyAnswer
  try {
    answer =
      (request.method === 'GET' ? await takeEarlyAnswer(path, token, controller.signal) : undefined) ?? (await send())
  } catch (cause) {
    if (request.signal?.aborted) throw cause
    throw hasTimedOut
      ? new ApiError({ status: 0, code: clientErrorCodes.timedOut, message: commonTexts.serverTooSlow, cause })
      : new ApiError({ status: 0, code: clientErrorCodes.noResponse, message: commonTexts.serverUnreachable, cause })
  } finally {
    clearTimeout(timer)
    request.signal?.removeEventListener('abort', passOn)
  }
  if (isOfPage) assertSessionStands()
  const { response, sentAtMs, receivedAtMs } = answer
  const body = parseJson(answer.text)

  if (!response.ok) {
    // A failed sign-in, or a 401 to another session's token, says nothing about the session in use.
    if (response.status === 401 && isOfPage && token !== null) endSession()
    throw toApiError(response, body)
  }
  if (body === unreadable) {
    throw new ApiError({
      status: response.status,
      code: clientErrorCodes.unreadable,
      message: commonTexts.somethingWrong,
    })
  }
  return { status: response.status, body, sentAtMs, receivedAtMs }
}

const unreadable = Symbol('unreadable')

function parseJson(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return unreadable
  }
}

/** Reads `{ code, message, details }` (rules §6) where it is there; a proxy's HTML page gets the general sentence. */
function toApiError(response: Response, body: unknown): ApiError {
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

function writeQuery(query: HttpRequest['query']): string {
  const parts = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) if (value !== undefined) parts.set(name, String(value))
  const text = parts.toString()
  return text === '' ? '' : `?${text}`
}

/** A fresh Idempotency-Key. `randomUUID` exists only on https and localhost, hence the fallback for a plain-http LAN. */
export function newIdempotencyKey(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
