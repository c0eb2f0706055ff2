import { keepPreviousData } from '@tanstack/react-query'
import { cashierEndpoints, type CashRequest, type requestList } from '#contract/cashier.ts'
import { PAGE_LIMIT_MAX } from '#contract/limits.ts'
import type { AskedBy } from '#contract/lists.ts'
import { type RequestTotals, staffRequestEndpoints } from '#contract/staff-requests.ts'
import type { RequestStatus } from '#domain/cashier/request.ts'
import { adminKeys } from '#web/lists/admin-keys.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'
import { pagesOf, waitingIn } from '#web/lists/list-pages.ts'

export type { CashRequest } from '#contract/cashier.ts'

export const requestsPage = pagesOf(cashierEndpoints.listRequests, adminKeys.requests)

export const requestTotalsQuery = (query: AskedBy<typeof requestList.filters>) => ({
  ...endpointQuery(adminKeys.requests, staffRequestEndpoints.sumRequests, { query }),
  placeholderData: keepPreviousData<RequestTotals>,
})

/** Loads requests by id, for rows that stay on screen although the list's current page no longer contains them. */
export const requestsByIds = (ids: readonly string[]) =>
  endpointQuery(
    [...adminKeys.requests, 'ids'],
    cashierEndpoints.listRequests,
    { query: { ids: [...ids], limit: PAGE_LIMIT_MAX } },
    ({ rows }): readonly CashRequest[] => rows,
  )

/** The number of pending requests and the time of the oldest one, for the sidebar's badge (spec §2.6). */
export const pendingQuery = waitingIn(
  cashierEndpoints.listRequests,
  [...adminKeys.requests, 'pending'],
  { status: 'pending', sort: 'createdAt', limit: 1 },
  ({ createdAtMs }) => createdAtMs,
)

/** `from` is the status that the admin saw. If it has changed since, the server refuses the decision (rules §3.6). */
export const decideRequest = (
  id: string,
  decision: { readonly verdict: 'approved' | 'rejected'; readonly reason?: string; readonly from: RequestStatus },
): Promise<CashRequest> => callEndpoint(cashierEndpoints.decideRequest, { params: { id }, body: decision })

/** Hides a request, and rejects it first if it is pending. `from` is as in `decideRequest`. */
export const deleteRequest = (id: string, from: RequestStatus) =>
  callEndpoint(cashierEndpoints.deleteRequest, { params: { id }, query: { from } })
