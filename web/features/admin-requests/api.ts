import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { cashierEndpoints, type CashRequest } from '#contract/cashier.ts'
import { PAGE_LIMIT_MAX } from '#contract/limits.ts'
import { type RequestTotals, staffRequestEndpoints } from '#contract/staff-requests.ts'
import type { RequestKind, RequestStatus } from '#domain/cashier/request.ts'
import { adminKeys } from '#web/ui/data-table/admin-keys.ts'
import { callEndpoint } from '#web/platform/api.ts'
import type { PageAsk, PageQuery } from '#web/ui/data-table/use-admin-list.ts'

export type { CashRequest } from '#contract/cashier.ts'

export type RequestFilters = {
  readonly username?: string
  readonly userId?: string
  readonly status?: RequestStatus
  readonly type?: RequestKind
  readonly from?: number
  readonly to?: number
  readonly min?: number
  readonly max?: number
  readonly bank?: string
  readonly by?: string
}
export type RequestListQuery = PageAsk & RequestFilters

/** All players' requests, without those that staff removed from their lists. */
export const requestsPage = (query: RequestListQuery): PageQuery<CashRequest> => ({
  queryKey: [...adminKeys.requests, 'page', query],
  queryFn: ({ signal }) => callEndpoint(cashierEndpoints.listRequests, { query, signal }),
})

/** What the requests of a filter sum up to. */
export const requestTotalsQuery = (query: RequestFilters) =>
  queryOptions({
    queryKey: [...adminKeys.requests, 'totals', query],
    queryFn: ({ signal }): Promise<RequestTotals> => callEndpoint(staffRequestEndpoints.sumRequests, { query, signal }),
    placeholderData: keepPreviousData,
  })

/** Requests by id, whatever their status now: for rows that left the page on screen. */
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

/** If a socket hint is lost, this interval makes up for it. */
const recountMs = 60_000

/** The number of pending requests and the age of the oldest (spec §2: the sidebar's badge). */
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

/**
 * Decides a request. `from` is the status that was on screen, which the server compares with the current one (rules
 * §3).
 */
export const decideRequest = (
  id: string,
  decision: { readonly verdict: 'approved' | 'rejected'; readonly reason?: string; readonly from: RequestStatus },
): Promise<CashRequest> => callEndpoint(cashierEndpoints.decideRequest, { params: { id }, body: decision })

export async function deleteRequest(id: string): Promise<void> {
  await callEndpoint(cashierEndpoints.deleteRequest, { params: { id } })
}
