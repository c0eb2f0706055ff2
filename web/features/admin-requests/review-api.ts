import { requestReviewEndpoints } from '#contract/request-review.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'
import { adminKeys } from '#web/lists/admin-keys.ts'

export type { RequestDossier } from '#contract/request-review.ts'

/** Never prefetched, because the server records that the admin has looked at the owner's data. */
export const dossierQuery = (id: string) => ({
  ...endpointQuery(adminKeys.requests, requestReviewEndpoints.readRequestDossier, { params: { id } }),
  staleTime: 0,
})

/** How often the views are fetched again, since an event may be lost and a view that expires emits none. */
const viewsEveryMs = 30_000

export const viewsQuery = {
  ...endpointQuery(adminKeys.requestViews, requestReviewEndpoints.listRequestViews, {}),
  refetchInterval: viewsEveryMs,
}

/** Shows the other admins for two minutes that this page has the request open. */
export const reportViewing = (pageId: string, requestId: string) =>
  callEndpoint(requestReviewEndpoints.viewRequest, { params: { id: pageId }, body: { requestId } })

export const reportLeft = (pageId: string) =>
  callEndpoint(requestReviewEndpoints.leaveRequest, { params: { id: pageId } })
