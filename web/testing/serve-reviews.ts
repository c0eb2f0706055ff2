import { requestReviewEndpoints } from '#contract/request-review.ts'
import { staffRequestEndpoints } from '#contract/staff-requests.ts'
import type { FakeServer } from './fake-server.ts'
import { sampleDossier } from './samples.ts'

/** Answers the calls of dialogs about a request; nobody else has one open. Returns the reported views. */
export function serveReviews(server: FakeServer) {
  server.on(requestReviewEndpoints.readRequestDossier, () => sampleDossier(1))
  server.on(requestReviewEndpoints.listRequestViews, () => [])
  server.on(staffRequestEndpoints.sumRequests, () => ({ groups: [], isCapped: false }))
  return {
    viewed: server.on(requestReviewEndpoints.viewRequest, () => null),
    left: server.on(requestReviewEndpoints.leaveRequest, () => null),
  }
}
