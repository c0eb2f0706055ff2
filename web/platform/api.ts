import './zod.ts'
import * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import { type Meta, meta } from '#contract/envelope.ts'
import { ApiError, clientErrorCodes, type HttpRequest, sendRequest } from './http.ts'
import { recordServerTime } from './server-time.ts'
import { commonTexts } from './texts.ts'

/** One of the contract's calls, encoded and decoded by its own schemas, so that only our words leave this file. */

type Output<S> = S extends z.ZodMiniType ? z.output<S> : never

/** Exactly the parts this endpoint has. */
type Parts<E extends Endpoint> = (E extends { params: infer S } ? { readonly params: Output<S> } : unknown) &
  (E extends { query: infer S } ? { readonly query: Output<S> } : unknown) &
  (E extends { body: infer S } ? { readonly body: Output<S> } : unknown) &
  (E extends { isMoneyAct: true } ? { readonly idempotencyKey: string } : unknown)

export type CallInput<E extends Endpoint> = Parts<E> & {
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
  /** On behalf of this session instead of the page's own. */
  readonly token?: string
}

export type ListPage<Row> = { readonly rows: Row; readonly meta: Meta }

/** A list answers its rows and their `meta`, anything else its data. */
export type CallOutput<E extends Endpoint> = E extends { isList: true }
  ? ListPage<Output<E['data']>>
  : Output<E['data']>

type LooseInput = {
  readonly params?: unknown
  readonly query?: unknown
  readonly body?: unknown
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
  readonly token?: string
}

/**
 * Calls the server. Throws an `ApiError` for every refusal and failure (see http.ts); an answer that does not fit the
 * contract counts as unreadable. Where the answer carries the server's time, the page's clock takes it over.
 */
export async function callEndpoint<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<CallOutput<E>> {
  const { params, query, body, idempotencyKey, signal, timeoutMs, token } = input as LooseInput
  const pathParams = encode(endpoint.params, params) as Record<string, string> | undefined
  const answer = await sendRequest({
    method: endpoint.method,
    path: endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(pathParams?.[name] ?? '')),
    query: encode(endpoint.query, query) as HttpRequest['query'],
    body: encode(endpoint.body, body),
    isPublic: endpoint.access === 'public',
    token,
    idempotencyKey,
    signal,
    timeoutMs,
  })
  const envelope = answer.body as { readonly data?: unknown; readonly meta?: unknown } | null | undefined
  const data = z.safeDecode(endpoint.data, envelope?.data)
  const listMeta = endpoint.isList ? z.safeParse(meta, envelope?.meta) : undefined
  if (!data.success || listMeta?.success === false) {
    const message = commonTexts.somethingWrong
    throw new ApiError({ status: answer.status, code: clientErrorCodes.unreadable, message, cause: data.error })
  }
  if (hasServerTime(data.data)) {
    recordServerTime({
      serverTimeMs: data.data.serverTimeMs,
      sentAtMs: answer.sentAtMs,
      receivedAtMs: answer.receivedAtMs,
    })
  }
  return (endpoint.isList ? { rows: data.data, meta: listMeta?.data } : data.data) as CallOutput<E>
}

function encode(schema: z.ZodMiniType | undefined, value: unknown): unknown {
  return schema === undefined || value === undefined ? undefined : z.encode(schema, value)
}

function hasServerTime(data: unknown): data is { readonly serverTimeMs: number } {
  return typeof data === 'object' && data !== null && 'serverTimeMs' in data && typeof data.serverTimeMs === 'number'
}

/**
 * An answer as it is kept: without the server's time, which the page's clock has taken over, so that an answer that
 * says nothing new equals the one before and nothing is rendered.
 */
export function withoutServerTime<Answer extends { readonly serverTimeMs?: number }>({
  serverTimeMs: _,
  ...kept
}: Answer): Omit<Answer, 'serverTimeMs'> {
  return kept
}
