import type * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import type { CallInput, ListPage } from '#web/platform/api.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'

export type PageAsk = {
  readonly page: number
  readonly limit: number
  readonly sort: string
  /** Asks also for the ids of all rows (`meta.ids`, rules §6.1). */
  readonly whole?: 'ids'
  readonly ids?: string[]
}

/** The query of one page. The download of a whole list (use-admin-list.ts) calls `queryFn` directly, without a cache. */
export type PageQuery<Row> = {
  readonly queryKey: readonly unknown[]
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<ListPage<Row[]>>
  readonly refetchInterval?: number
  readonly staleTime?: number
}

type ListEndpoint = Endpoint & { readonly isList: true; readonly query: z.ZodMiniType }
type RowOf<E extends Endpoint> = z.output<E['data']> extends ReadonlyArray<infer Row> ? Row : never

/** Returns the query of a list. In a generic function TypeScript loses the endpoint's types, hence the casts. */
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
  /** The time (Unix ms) since which the oldest row has waited; null if no row waits or the list has no such time. */
  readonly oldestAtMs: number | null
}

/** The count is refetched at this interval, since an event on the socket can get lost. */
const recountMs = 60_000

/** Counts the rows that wait. `query` has to select the waiting rows, sorted so that the oldest row is first. */
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
