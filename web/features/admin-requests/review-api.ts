import { requestReviewEndpoints } from '#contract/request-review.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'
import { adminKeys } from '#web/lists/admin-keys.ts'

export type { RequestDossier } from '#contract/request-review.ts'

/** This query must not be prefetched: the server records each fetch as a look at the owner's data (rules §3.11). */
export const dossierQuery = (id: string) => ({
  ...endpointQuery(adminKeys.requests, requestReviewEndpoints.readRequestDossier, { params: { id } }),
  staleTime: 0,
})

/** Who views which request is refetched this often: events can get lost, and no event tells that a view has expired. */
const viewsEveryMs = 30_000

export const viewsQuery = {
  ...endpointQuery(adminKeys.requestViews, requestReviewEndpoints.listRequestViews, {}),
  refetchInterval: viewsEveryMs,
}

/** Reports that this page has the request open. Other admins see this for two minutes (rules §3.11). */
export const reportViewing = (pageId: string, requestId: string) =>
  callEndpoint(requestReviewEndpoints.viewRequest, { params: { id: pageId }, body: { requestId } })

export const reportLeft = (pageId: string) =>
  callEndpoint(requestReviewEndpoints.leaveRequest, { params: { id: pageId } })
