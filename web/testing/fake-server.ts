import * as z from 'zod/mini'
import { vi } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { type RefusalCode, refusals } from '#contract/refusals.ts'
import type { CallInput, CallOutput } from '#web/platform/api.ts'

/**
 * A fake server for component tests: it answers the contract's calls in our names, encoded and decoded by the
 * contract's own schemas. A call without an answer fails its test.
 */

/** Thrown by an answer: a refusal with this code and the contract's sentence. */
export class Refused extends Error {
  readonly code: RefusalCode
  constructor(code: RefusalCode) {
    super(code)
    this.code = code
  }
}

type Call<E extends Endpoint> = Omit<CallInput<E>, 'signal' | 'timeoutMs' | 'token'>
type Answer<E extends Endpoint> = (call: Call<E>) => CallOutput<E> | Promise<CallOutput<E>>

type LooseCall = Readonly<Record<string, unknown>>

export type FakeServer = {
  /** Answers a call from now on. The returned function lists the calls so far, oldest first. */
  readonly on: <E extends Endpoint>(endpoint: E, answer: Answer<E>) => () => ReadonlyArray<Call<E>>
  /** Every call so far to any endpoint, oldest first. */
  readonly calls: () => readonly LooseCall[]
}

type Route = {
  readonly endpoint: Endpoint
  readonly answer: (call: LooseCall) => unknown
  readonly calls: LooseCall[]
}

/** Replaces `fetch` until the end of the test. */
export function fakeServer(): FakeServer {
  const routes = new Map<string, Route>()
  const all: LooseCall[] = []
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    try {
      return await answerTo(address, init)
    } catch (error) {
      // The page treats this as a broken line; the log shows the author of the test the cause.
      console.error(error)
      throw error
    }
  })
  const answerTo = async (address: string, init: RequestInit): Promise<Response> => {
    const url = new URL(address, 'http://fake.test')
    const route = [...routes.values()].find(({ endpoint }) => matches(endpoint, init.method, url.pathname))
    if (route === undefined) throw new Error(`No answer was prepared for ${init.method ?? 'GET'} ${url.pathname}`)
    const call = readCall(route.endpoint, url, init)
    route.calls.push(call)
    all.push(call)
    try {
      return json(200, writeAnswer(route.endpoint, await route.answer(call)))
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      const { status, message } = refusals[error.code]
      return json(status, { statusCode: status, code: error.code, message })
    }
  }
  return {
    on: (endpoint, answer) => {
      const calls: LooseCall[] = []
      routes.set(`${endpoint.method} ${endpoint.path}`, { endpoint, answer: answer as Route['answer'], calls })
      return () => [...calls] as never
    },
    calls: () => [...all],
  }
}

const pattern = (path: string) => new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)

const matches = (endpoint: Endpoint, method: string | undefined, path: string): boolean =>
  endpoint.method === (method ?? 'GET') && pattern(endpoint.path).test(path)

/** Decodes the page's request into our names. */
function readCall(endpoint: Endpoint, url: URL, { body, headers }: RequestInit): LooseCall {
  const key = new Headers(headers).get('idempotency-key')
  return {
    ...(endpoint.params && {
      params: z.decode(endpoint.params, { ...pattern(endpoint.path).exec(url.pathname)?.groups }),
    }),
    ...(endpoint.query && { query: z.decode(endpoint.query, Object.fromEntries(url.searchParams)) }),
    ...(endpoint.body && { body: z.decode(endpoint.body, JSON.parse(body as string)) }),
    ...(key !== null && { idempotencyKey: key }),
  }
}

/** The envelope of spec §7 around the encoded data; a list has its `meta` beside the rows. */
function writeAnswer(endpoint: Endpoint, output: unknown): unknown {
  const { rows, meta } = endpoint.isList
    ? (output as { rows: unknown; meta: unknown })
    : { rows: output, meta: undefined }
  return { statusCode: 200, message: 'OK', data: z.encode(endpoint.data, rows), ...(meta !== undefined && { meta }) }
}

const json = (status: number, body: unknown) => new Response(JSON.stringify(body), { status })

/** A list page that contains exactly these rows. */
export const onePage = <Row>(rows: Row[], total = rows.length, page = 1, limit = 10, ids?: string[]) => ({
  rows,
  meta: { total, page, limit, hasMore: page * limit < total, ...(ids !== undefined && { ids }) },
})
