import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { type NoticeKind, type NoticesPage, noticeEndpoints } from '#contract/notices.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'
import { queryClient, refresh } from '#web/platform/query-client.ts'

export type { Notice, NoticeKind, NoticesPage } from '#contract/notices.ts'

export const noticesKey = ['notices'] as const

/** A notice newer than `completeToMs` can't be marked as read yet. After this pause, the notices are fetched again. */
const untilCompleteMs = 2_000

/** The newest notices of all kinds and the number of unread ones, for the bell and the toasts. */
export const newestQuery = queryOptions({
  ...endpointQuery(noticesKey, noticeEndpoints.notices, { query: {} }),
  refetchInterval: ({ state: { data } }) =>
    data !== undefined && (data.notices[0]?.atMs ?? 0) > data.completeToMs ? untilCompleteMs : false,
  staleTime: 30_000,
})

export const noticeListsKey = [...noticesKey, 'list'] as const

export const noticesQuery = (kind: NoticeKind | null) =>
  infiniteQueryOptions({
    queryKey: [...noticeListsKey, kind],
    queryFn: ({ signal, pageParam }): Promise<NoticesPage> =>
      callEndpoint(noticeEndpoints.notices, {
        query: { ...(kind !== null && { kind }), ...(pageParam !== null && { after: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })

/** Marks all notices up to `upToMs` as read on every device of the user. `upToMs` is a page's `completeToMs`. */
export async function markRead(upToMs: number): Promise<void> {
  await callEndpoint(noticeEndpoints.readNotices, { body: { upToMs } })
  await refresh(noticesKey)
}

/** Marks these notices as read if no other is unread: the server only stores the instant up to which all are read. */
export async function markReadIfAll(ids: readonly string[]): Promise<void> {
  const page = queryClient.getQueryData(newestQuery.queryKey)
  if (page === undefined || page.unread === 0) return
  const seen = page.notices.filter(({ id, isRead, atMs }) => !isRead && ids.includes(id) && atMs <= page.completeToMs)
  if (seen.length === page.unread) await markRead(page.completeToMs)
}
