import './zod.ts'
import * as z from 'zod/mini'
import { textIssuesOf } from '#contract/codecs.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { type Meta, meta } from '#contract/envelope.ts'
import type { RefusalCode } from '#contract/refusals.ts'
import * as sentences from '#contract/sentences.ts'
import { type EarlyAnswer, takeEarlyAnswer } from './early-calls.ts'
import { answeredWithin, ApiError, assertSessionStands, clientErrorCodes, toApiError, unsureOf } from './http.ts'
import { reportAnswer } from './online.ts'
import { recordServerDate, recordServerTime } from './server-time.ts'
import { endSession } from './session.ts'
import { readAccessToken } from './storage.ts'
import { commonTexts } from './texts.ts'

type Output<S> = S extends z.ZodMiniType ? z.output<S> : never

type Parts<E extends Endpoint> = (E extends { params: infer S } ? { readonly params: Output<S> } : unknown) &
  (E extends { query: infer S } ? { readonly query: Output<S> } : unknown) &
  (E extends { body: infer S } ? { readonly body: Output<S> } : unknown) &
  (E extends { takesKey: true } ? { readonly idempotencyKey: string } : unknown)

export type CallInput<E extends Endpoint> = Parts<E> & {
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
  /** The access token of another session. By default, public calls send no token, and other calls the page's own. */
  readonly token?: string
}

export type FirstCall = { readonly endpoint: Endpoint; readonly params?: unknown; readonly query?: unknown }

export const firstCall = <E extends Endpoint>(endpoint: E, input: CallInput<E>): FirstCall => ({ endpoint, ...input })

export type ListPage<Row> = { readonly rows: Row; readonly meta: Meta }

export type CallOutput<E extends Endpoint> = E extends { isList: true }
  ? ListPage<Output<E['data']>>
  : Output<E['data']>

type LooseInput = Pick<HttpRequest, 'body' | 'idempotencyKey' | 'signal' | 'timeoutMs' | 'token'> & {
  readonly params?: unknown
  readonly query?: unknown
}

/** The component `FreshFactor` replaces `asking`. After FACTOR_REQUIRED it asks for the factor and repeats the call. */
export const freshFactor = { asking: (send: () => Promise<HttpAnswer>): Promise<HttpAnswer> => send() }

/**
 * Sends a call and returns the decoded answer. Throws an `ApiError` if a text of the input is invalid, the session is
 * over, or the server refuses, does not answer, or answers against the contract. If `input.signal` aborts the request,
 * throws the signal's reason.
 */
export async function callEndpoint<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<CallOutput<E>> {
  try {
    return await callRepeatable(endpoint, input)
  } catch (error) {
    throw endpoint.method === 'GET' ? error : unsureOf(error)
  }
}

/** Like `callEndpoint`, but for a sign-in or another call that can simply be repeated if its answer was lost. */
export async function callRepeatable<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<CallOutput<E>> {
  const { params, query, body, ...more } = input as LooseInput
  const path = pathOf({ endpoint, params, query })
  const send = () =>
    sendRequest({
      method: endpoint.method,
      path,
      body: encode(endpoint.body, body),
      isPublic: endpoint.access === 'public',
      refusals: endpoint.refusals,
      ...more,
    })
  // Public calls and `undoFactors` never need a fresh factor, so they are sent directly.
  const mayBeAsked = endpoint.access !== 'public' && (endpoint.access !== 'own-factor' || endpoint.needsFreshFactor)
  const answer = await (mayBeAsked ? freshFactor.asking(send) : send())
  const envelope = answer.body as { readonly data?: unknown; readonly meta?: unknown } | null | undefined
  const data = z.safeDecode(endpoint.data, envelope?.data)
  const listMeta = endpoint.isList ? z.safeParse(meta, envelope?.meta) : undefined
  if (!data.success || listMeta?.success === false) throw unreadableAnswer(answer.status, data.error)
  if (hasServerTime(data.data)) recordServerTime({ ...answer, serverTimeMs: data.data.serverTimeMs })
  return (endpoint.isList ? { rows: data.data, meta: listMeta?.data } : data.data) as CallOutput<E>
}

/** Returns path and query of a call. `takeEarlyAnswer` uses this text as its key. */
export function pathOf({ endpoint, params, query }: FirstCall): string {
  const inPath = encode(endpoint.params, params) as Record<string, string> | undefined
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(inPath?.[name] ?? ''))
  const parts = new URLSearchParams()
  for (const [name, value] of Object.entries(encode(endpoint.query, query) ?? {}))
    if (value !== undefined) parts.set(name, String(value))
  const text = parts.toString()
  return text === '' ? path : `${path}?${text}`
}

function encode(schema: z.ZodMiniType | undefined, value: unknown): unknown {
  if (schema === undefined || value === undefined) return undefined
  const wire = z.safeEncode(schema, value)
  if (wire.success) return wire.data
  if (textIssuesOf(wire.error).length === 0) throw wire.error
  throw new ApiError({ status: 422, code: 'TEXT_INVALID', message: sentences.TEXT_INVALID, cause: wire.error })
}

function hasServerTime(data: unknown): data is { readonly serverTimeMs: number } {
  return typeof data === 'object' && data !== null && 'serverTimeMs' in data && typeof data.serverTimeMs === 'number'
}

/** Removes the server's time from an answer, so that unchanged data equals the previous data. */
export function withoutServerTime<Answer extends { readonly serverTimeMs?: number }>({
  serverTimeMs: _,
  ...kept
}: Answer): Omit<Answer, 'serverTimeMs'> {
  return kept
}

export type HttpRequest = {
  readonly method: Endpoint['method']
  /** The path of the URL, followed by the query string if there is one. */
  readonly path: string
  readonly body?: unknown
  readonly isPublic?: boolean | undefined
  readonly token?: string | undefined
  /** For a money act (rules §3.5). A retry of the same act sends the same key. */
  readonly idempotencyKey?: string | undefined
  /** Refusal codes of this call. A code that is neither listed here nor common to all calls becomes UNKNOWN. */
  readonly refusals?: readonly RefusalCode[] | undefined
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number | undefined
}

export type HttpAnswer = {
  readonly status: number
  /** Parsed JSON; `undefined` for an answer without a body. */
  readonly body: unknown
  readonly sentAtMs: number
  readonly receivedAtMs: number
}

const defaultTimeoutMs = 15_000

/**
 * Sends a request. Throws an `ApiError` unless the answer is a 2xx with readable JSON or without a body. If
 * `request.signal` aborts the request, throws the signal's reason. A 401 to the page's own token ends its session.
 */
export async function sendRequest(request: HttpRequest): Promise<HttpAnswer> {
  const isOfPage = request.isPublic !== true && request.token === undefined
  if (isOfPage) assertSessionStands()
  const token = isOfPage ? readAccessToken() : (request.token ?? null)
  const headers = new Headers({ accept: 'application/json' })
  if (token !== null) headers.set('authorization', `Bearer ${token}`)
  if (request.body !== undefined) headers.set('content-type', 'application/json')
  if (request.idempotencyKey !== undefined) headers.set('idempotency-key', request.idempotencyKey)

  const { path } = request
  const send = async (signal: AbortSignal): Promise<EarlyAnswer> => {
    const sentAtMs = Date.now()
    const response = await fetch(path, {
      method: request.method,
      // A page may send a DELETE while it is being closed; keepalive lets the request finish.
      keepalive: request.method === 'DELETE',
      headers,
      body: request.body === undefined ? null : JSON.stringify(request.body),
      signal,
    })
    return { response, text: await response.text(), sentAtMs, receivedAtMs: Date.now() }
  }
  const answer = await answeredWithin(
    request.timeoutMs ?? defaultTimeoutMs,
    request.signal,
    async (signal) =>
      (request.method === 'GET' ? await takeEarlyAnswer(path, token, signal) : undefined) ?? (await send(signal)),
  )
  if (isOfPage) assertSessionStands()
  const { response, sentAtMs, receivedAtMs } = answer
  // An immutable answer may come from the browser's cache, with a `Date` from days ago.
  if (response.headers.get('cache-control')?.includes('immutable') !== true)
    recordServerDate({ serverTimeMs: Date.parse(response.headers.get('date') ?? ''), sentAtMs, receivedAtMs })
  const body = parseJson(answer.text)

  if (!response.ok) {
    // A 401 to a public call or to another session's token says nothing about the page's own session.
    if (response.status === 401 && isOfPage && token !== null) endSession()
    throw toApiError(response, body, request.refusals)
  }
  if (body === unreadable) throw unreadableAnswer(response.status)
  reportAnswer(sentAtMs)
  return { status: response.status, body, sentAtMs, receivedAtMs }
}

const unreadable = Symbol('unreadable')

const unreadableAnswer = (status: number, cause?: unknown) =>
  new ApiError({ status, code: clientErrorCodes.unreadable, message: commonTexts.somethingWrong, cause })

function parseJson(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return unreadable
  }
}
