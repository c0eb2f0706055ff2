import * as z from 'zod/mini'
import { vi } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { type RefusalCode, refusals } from '#contract/refusals.ts'
import type { CallInput, CallOutput } from '#web/platform/api.ts'

/**
 * The server as a component test sees it: answers to the contract's calls in our words, encoded and decoded by the
 * contract's own schemas. A call that nobody answers fails the test that made it.
 */

/** Thrown by an answer: the server's refusal with this code, as the contract words it. */
export class Refused extends Error {
  readonly code: RefusalCode
  constructor(code: RefusalCode) {
    super(code)
    this.code = code
  }
}

type Call<E extends Endpoint> = Omit<CallInput<E>, 'signal' | 'timeoutMs' | 'token'>
type Answer<E extends Endpoint> = (call: Call<E>) => CallOutput<E> | Promise<CallOutput<E>>

export type FakeServer = {
  /** Answers a call from now on. The function returned lists the calls that were made so far, oldest first. */
  readonly on: <E extends Endpoint>(endpoint: E, answer: Answer<E>) => () => ReadonlyArray<Call<E>>
}

type LooseCall = Readonly<Record<string, unknown>>
type Route = {
  readonly endpoint: Endpoint
  readonly answer: (call: LooseCall) => unknown
  readonly calls: LooseCall[]
}

/** Takes the place of `fetch` until the end of the test. */
export function fakeServer(): FakeServer {
  const routes = new Map<string, Route>()
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    try {
      return await answerTo(address, init)
    } catch (error) {
      // The page takes it for a broken line; whoever wrote the test has to see it.
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
  }
}

const pattern = (path: string) => new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)

const matches = (endpoint: Endpoint, method: string | undefined, path: string): boolean =>
  endpoint.method === method && pattern(endpoint.path).test(path)

/** What the page sent, in our words. */
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

/** The envelope of spec §7 around the encoded data; a list's rows with their `meta` beside them. */
function writeAnswer(endpoint: Endpoint, output: unknown): unknown {
  const { rows, meta } = endpoint.isList
    ? (output as { rows: unknown; meta: unknown })
    : { rows: output, meta: undefined }
  return { statusCode: 200, message: 'OK', data: z.encode(endpoint.data, rows), ...(meta !== undefined && { meta }) }
}

const json = (status: number, body: unknown) => new Response(JSON.stringify(body), { status })

/** A page of a list that holds exactly these rows. */
export const onePage = <Row>(rows: Row[], total = rows.length, page = 1, limit = 10) => ({
  rows,
  meta: { total, page, limit, hasMore: page * limit < total },
})
