import { queryOptions } from '@tanstack/react-query'
import { cashierEndpoints, type CashRequest } from '#contract/cashier.ts'
import { PAGE_LIMIT_MAX } from '#contract/limits.ts'
import type { RequestKind, RequestStatus } from '#domain/cashier/request.ts'
import { adminKeys } from '#web/ui/data-table/admin-keys.ts'
import { callEndpoint } from '#web/platform/api.ts'
import type { PageAsk, PageQuery } from '#web/ui/data-table/use-admin-list.ts'

export type { CashRequest } from '#contract/cashier.ts'

export type RequestListQuery = PageAsk & {
  readonly username?: string
  readonly status?: RequestStatus
  readonly type?: RequestKind
}

/** Requests of everybody, without what staff deleted from their lists. */
export const requestsPage = (query: RequestListQuery): PageQuery<CashRequest> => ({
  queryKey: [...adminKeys.requests, 'page', query],
  queryFn: ({ signal }) => callEndpoint(cashierEndpoints.listRequests, { query, signal }),
})

/** These requests, wherever they have gone: for rows that left the page they are shown on. */
export const requestsByIds = (ids: readonly string[]) => ({
  queryKey: [...adminKeys.requests, 'ids', ids],
  queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<readonly CashRequest[]> => {
    const query = { ids: [...ids], limit: PAGE_LIMIT_MAX }
    return (await callEndpoint(cashierEndpoints.listRequests, { query, signal })).rows
  },
})

export type PendingRequests = {
  readonly count: number
  readonly isCapped: boolean
  readonly oldestAtMs: number | null
}

/** A lost hint is made up for within this. */
const recountMs = 60_000

/** How many requests wait, and since when the oldest does (spec §2: the sidebar's badge). */
export const pendingQuery = queryOptions({
  queryKey: [...adminKeys.requests, 'pending'],
  queryFn: async ({ signal }): Promise<PendingRequests> => {
    const query = { status: 'pending', sort: 'createdAt', limit: 1 } as const
    const { rows, meta } = await callEndpoint(cashierEndpoints.listRequests, { query, signal })
    return {
      count: meta.total,
      isCapped: meta.totalCapped === true,
      oldestAtMs: rows[0]?.createdAtMs ?? null,
    }
  },
  refetchInterval: recountMs,
})

/** Decides a request as it was seen: `from` is the status on screen (rules §3). */
export const decideRequest = (
  id: string,
  decision: { readonly verdict: 'approved' | 'rejected'; readonly reason?: string; readonly from: RequestStatus },
): Promise<CashRequest> => callEndpoint(cashierEndpoints.decideRequest, { params: { id }, body: decision })

export async function deleteRequest(id: string): Promise<void> {
  await callEndpoint(cashierEndpoints.deleteRequest, { params: { id } })
}
