import * as z from 'zod/mini'
import { cashRequest } from './cashier.ts'
import { amount, answer, id, instant, person, request, text } from './codecs.ts'
import { madeId, sharer, staffNote } from './customer.ts'
import { endpoint } from './endpoint.ts'
import { staffUser } from './staff-users.ts'

/** The facts to look at before a request is decided (rules §3.11). */
export const requestDossier = answer(() => ({
  request: ['transaction', z.optional(cashRequest)],
  user: staffUser,
  reservedMinor: ['reserved', amount],
  timeoutUntilMs: ['timeoutUntil', z.nullable(instant)],
  recent: z.array(cashRequest),
  /** Net result of the player's bets decided since the last approved request, or ever if `betNetSinceMs` is null. */
  betNetMinor: ['betNet', amount],
  betNetSinceMs: ['betNetSince', z.nullable(instant)],
  /**
   * `sharedWith`: at most 20 other users with the same account number, sorted by name. `notes`: the newest 3. Both
   * counts end at 100.
   */
  sharedWith: z.array(sharer),
  sharedCount: z.int(),
  notes: z.array(staffNote),
  noteCount: z.int(),
}))
export type RequestDossier = z.output<typeof requestDossier>

export const requestView = answer(() => ({ requestId: ['transactionId', text], admin: person }))
export type RequestView = z.output<typeof requestView>

export const requestReviewEndpoints = {
  readRequestDossier: endpoint('GET', '/api/v1/transaction/{id}/dossier', 'staff', {
    data: requestDossier,
    refusals: ['NOT_FOUND'],
    summary: 'What to look up before deciding a request; a look at its owner',
  }),
  listRequestViews: endpoint('GET', '/api/v1/transaction/views', 'staff', {
    data: z.array(requestView),
    summary: 'Which requests other admins have open now',
  }),
  /** `id` is made by a tab of a browser, which has one request open at a time. */
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
