import type * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import type { CallInput, ListPage } from '#web/platform/api.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'

export type PageAsk = {
  readonly page: number
  readonly limit: number
  readonly sort: string
  /** For a list whose rows can leave: all ids besides; or the rows with these ids, without any filter. */
  readonly whole?: 'ids'
  readonly ids?: string[]
}

/** The export loads its pages through the same `queryFn`. */
export type PageQuery<Row> = {
  readonly queryKey: readonly unknown[]
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<ListPage<Row[]>>
  readonly refetchInterval?: number
  readonly staleTime?: number
}

type ListEndpoint = Endpoint & { readonly isList: true; readonly query: z.ZodMiniType }
type RowOf<E extends Endpoint> = z.output<E['data']> extends ReadonlyArray<infer Row> ? Row : never

/** TypeScript loses the endpoint's own types inside of a generic function. */
const listed = <const E extends ListEndpoint, Data>(
  group: readonly string[],
  endpoint: E,
  query: z.output<E['query']>,
  read: (page: ListPage<RowOf<E>[]>) => Data,
) => endpointQuery(group, endpoint, { query } as CallInput<E>, (page) => read(page as ListPage<RowOf<E>[]>))

export const pagesOf =
  <const E extends ListEndpoint>(endpoint: E, key: readonly string[], refetchInterval?: number) =>
  (query: z.output<E['query']>): PageQuery<RowOf<E>> => ({
    ...listed([...key, 'page'], endpoint, query, (page) => page),
    ...(refetchInterval !== undefined && { refetchInterval }),
  })

export type Waiting = {
  readonly count: number
  readonly isCapped: boolean
  /** Since when the oldest waits; null where none does, and in a list that does not say. */
  readonly oldestAtMs: number | null
}

/** If a socket hint is lost, this interval makes up for it. */
const recountMs = 60_000

/** `query` asks for what waits, the oldest first. */
export const waitingIn = <const E extends ListEndpoint>(
  endpoint: E,
  group: readonly string[],
  query: z.output<E['query']>,
  atMs: (row: RowOf<E>) => number | null = () => null,
) => ({
  ...listed(group, endpoint, query, ({ rows: [oldest], meta }): Waiting => ({
    count: meta.total,
    isCapped: meta.totalCapped === true,
    oldestAtMs: oldest === undefined ? null : atMs(oldest),
  })),
  refetchInterval: recountMs,
})
