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

/** All players' requests, without those that staff removed from their lists. */
export const requestsPage = pagesOf(cashierEndpoints.listRequests, adminKeys.requests)

export const requestTotalsQuery = (query: AskedBy<typeof requestList.filters>) => ({
  ...endpointQuery(adminKeys.requests, staffRequestEndpoints.sumRequests, { query }),
  placeholderData: keepPreviousData<RequestTotals>,
})

/** Requests by id in their present status: for rows that left the page on screen. */
export const requestsByIds = (ids: readonly string[]) =>
  endpointQuery(
    [...adminKeys.requests, 'ids'],
    cashierEndpoints.listRequests,
    { query: { ids: [...ids], limit: PAGE_LIMIT_MAX } },
    ({ rows }): readonly CashRequest[] => rows,
  )

/** The number of pending requests and the age of the oldest (spec §2: the sidebar's badge). */
export const pendingQuery = waitingIn(
  cashierEndpoints.listRequests,
  [...adminKeys.requests, 'pending'],
  { status: 'pending', sort: 'createdAt', limit: 1 },
  ({ createdAtMs }) => createdAtMs,
)

/**
 * Decides a request. `from` is the status that was on screen, which the server compares with the current one (rules
 * §3).
 */
export const decideRequest = (
  id: string,
  decision: { readonly verdict: 'approved' | 'rejected'; readonly reason?: string; readonly from: RequestStatus },
): Promise<CashRequest> => callEndpoint(cashierEndpoints.decideRequest, { params: { id }, body: decision })

/** Hides a request, and rejects it first where it is pending; `from` as above. */
export const deleteRequest = (id: string, from: RequestStatus) =>
  callEndpoint(cashierEndpoints.deleteRequest, { params: { id }, query: { from } })
