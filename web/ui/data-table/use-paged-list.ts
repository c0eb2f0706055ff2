import type { UseQueryResult } from '@tanstack/react-query'
import { PAGE_LIMIT_MAX } from '#contract/limits.ts'
import type { ListPage } from '#web/platform/api.ts'
import type { ListState } from './data-table.tsx'
import type { LoadPage } from './export-rows.ts'
import { type Held, type HoldOptions, useHeldRows } from './use-held-rows.ts'

export type PagedListOptions<Row, Query extends { readonly page: number; readonly limit: number }> = Omit<
  HoldOptions<Row>,
  'viewKey' | 'fresh'
> & {
  readonly query: Query
  /** The answer to the query; asked for with `keepPreviousData`, so that the rows stay until the next page is there. */
  readonly page: UseQueryResult<ListPage<Row[]>>
  readonly load: (query: Query, signal: AbortSignal) => Promise<ListPage<Row[]>>
}

/** What a table needs of a list that the server pages: its rows as they are held, its state, and its pages for a file. */
export function usePagedList<Row, Query extends { readonly page: number; readonly limit: number }>({
  query,
  page,
  load,
  ...facts
}: PagedListOptions<Row, Query>): {
  readonly held: Held<Row>
  readonly list: ListState
  readonly loadPage: LoadPage<Row>
} {
  const held = useHeldRows({
    viewKey: JSON.stringify(query),
    fresh: page.isPlaceholderData ? undefined : page.data?.rows,
    ...facts,
  })
  return {
    held,
    list: {
      meta: page.data?.meta,
      error: page.error,
      isStale: page.isPlaceholderData,
      retry: () => void page.refetch(),
      isRetrying: page.isFetching,
    },
    loadPage: async (number, signal) => {
      const { rows, meta } = await load({ ...query, page: number, limit: PAGE_LIMIT_MAX }, signal)
      return { rows, hasMore: meta.hasMore }
    },
  }
}
