import * as z from 'zod/mini'
import { cashRequest } from './cashier.ts'
import { amount, answer, id, instant, person, request, text } from './codecs.ts'
import { madeId, sharer, staffNote } from './customer.ts'
import { endpoint } from './endpoint.ts'
import { staffUser } from './staff-users.ts'

/** The facts that a careful person looks up before deciding a request (rules §3.11). For staff alone. */
export const requestDossier = answer(() => ({
  /** The request itself. Absent in answers of the previous version's server. */
  request: ['transaction', z.optional(cashRequest)],
  /** Its owner as staff see them: the balance now, flags, when the account was created. */
  user: staffUser,
  /** Held for pending withdrawals, this request's own among them while it is one. */
  reservedMinor: ['reserved', amount],
  /** The end of a time-out that is still running; null without one. */
  timeoutUntilMs: ['timeoutUntil', z.nullable(instant)],
  /** The owner's newest other requests, at most 5, without those that staff hid. */
  recent: z.array(cashRequest),
  /** The profit (negative: the loss) of the bets that were decided since the last approved request. */
  betNetMinor: ['betNet', amount],
  /** When that request was approved; null counts from the account's first bet. */
  betNetSinceMs: ['betNetSince', z.nullable(instant)],
  /** Other accounts that linked this request's bank number now: by name, at most 20 of `sharedCount`. */
  sharedWith: z.array(sharer),
  /** At most 100 are counted. */
  sharedCount: z.int(),
  /** The newest notes of staff, at most 3 of `noteCount`; none about oneself. */
  notes: z.array(staffNote),
  /** At most 100 are counted. */
  noteCount: z.int(),
}))
export type RequestDossier = z.output<typeof requestDossier>

/** Another admin who has a request open. */
export const requestView = answer(() => ({ requestId: ['transactionId', text], admin: person }))
export type RequestView = z.output<typeof requestView>

/**
 * Calls for staff who decide requests: to read the facts, and to show who has a request open. The decision itself is in
 * contract/cashier.ts.
 */
export const requestReviewEndpoints = {
  readRequestDossier: endpoint('GET', '/api/v1/transaction/{id}/dossier', 'staff', {
    params: z.object({ id }),
    data: requestDossier,
    refusals: ['NOT_FOUND'],
    summary: 'What to look up before deciding a request; a look at its owner',
  }),
  listRequestViews: endpoint('GET', '/api/v1/transaction/views', 'staff', {
    data: z.array(requestView),
    summary: 'Which requests other admins have open now',
  }),
  /** `id` is one that a page makes for itself: it has one request open at a time. */
  viewRequest: endpoint('PUT', '/api/v1/transaction/views/{id}', 'staff', {
    params: z.object({ id: madeId }),
    body: request(() => ({ requestId: ['transactionId', id] })),
    refusals: ['NOT_FOUND'],
    summary: 'Tell the other admins for two minutes that one has a request open; blocks nothing',
  }),
  leaveRequest: endpoint('DELETE', '/api/v1/transaction/views/{id}', 'staff', {
    params: z.object({ id: madeId }),
    summary: 'Tell the other admins that one has closed it',
  }),
} as const
