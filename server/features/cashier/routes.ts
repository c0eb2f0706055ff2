import * as z from 'zod/mini'
import { type CashRequest, cashierEndpoints, requestStatus } from '#contract/cashier.ts'
import { requestReviewEndpoints } from '#contract/request-review.ts'
import { staffRequestEndpoints } from '#contract/staff-requests.ts'
import { decideAccess } from '#domain/identity/permissions.ts'
import { claimOf, type LedgerGuard } from '#server/features/wallet/index.ts'
import { newId } from '#server/platform/process/ids.ts'
import { refuseOtherUser } from '#server/platform/http/auth.ts'
import { isRefused, refuse } from '#server/platform/http/errors.ts'
import { type Api, Encoded, encodeData } from '#server/platform/http/http.ts'
import { answerList } from '#server/platform/http/lists.ts'
import { type AlreadyDecided, decideOnRequest } from './decide-request.ts'
import { deleteRequest } from './delete-request.ts'
import { fileRequest } from './file-request.ts'
import type { CashierDeps } from './ports.ts'
import { listForStaff, listOwnRequests, REQUESTS, sumRequests } from './queries.ts'
import { leaveRequest, listRequestViews, viewRequest } from './request-views.ts'

export function registerCashier(api: Api, deps: CashierDeps & { readonly ledger: LedgerGuard }): void {
  const { db, ledger, fourEyes } = deps

  api.handle(cashierEndpoints.listRequests, async ({ subject, query }) => {
    const isForStaff = decideAccess(cashierEndpoints.listRequests.asStaff, subject) === null
    const refused = isForStaff ? null : refuseOtherUser(subject, query.userId)
    if (refused !== null) return refused
    const filter = isForStaff
      ? { ...query, isForStaff }
      : { ...query, isForStaff, userId: subject.userId, username: undefined, bank: undefined, by: undefined }
    return answerList(db, REQUESTS, filter, isForStaff ? listForStaff(fourEyes, subject.userId) : listOwnRequests)
  })

  api.handle(staffRequestEndpoints.sumRequests, ({ query }) => sumRequests(db, { ...query, isForStaff: true }))

  api.handle(cashierEndpoints.fileRequest, async ({ subject, body, idempotencyKey }) => {
    const refused = refuseOtherUser(subject, body.ownerId)
    if (refused !== null) return refused
    if (!ledger.isOpen()) return refuse('LEDGER_CHECK_FAILED')
    const filing = {
      kind: body.kind,
      amountMinor: body.amountMinor,
      memo: body.memo?.trim() ?? null,
      withdrawalNote: body.withdrawalNote?.trim() ?? null,
      bankId: body.bankId ?? null,
    }
    // A call without a key gets one, by which a retry finds the stored text if the database's answer to COMMIT is lost.
    const claim = claimOf(idempotencyKey ?? newId(), filing)
    const filed = await fileRequest(deps, subject, filing, claim, (request) =>
      encodeData(cashierEndpoints.fileRequest, request),
    )
    return isRefused(filed) ? filed : new Encoded(filed)
  })

  api.handle(cashierEndpoints.decideRequest, async ({ subject, params, body }) => {
    if (!ledger.isOpen()) return refuse('LEDGER_CHECK_FAILED')
    const verdict = { verdict: body.verdict, reason: body.reason ?? '', from: body.from ?? null }
    const decided = await decideOnRequest(deps, subject, params.id, verdict)
    return sayingWho(decided)
  })

  api.handle(requestReviewEndpoints.listRequestViews, ({ subject }) => listRequestViews(db, subject))

  api.handle(requestReviewEndpoints.viewRequest, ({ subject, params, body }) =>
    viewRequest(deps, subject, params.id, body.requestId),
  )

  api.handle(requestReviewEndpoints.leaveRequest, async ({ subject, params }) => {
    await leaveRequest(deps, subject, params.id)
    return null
  })

  api.handle(cashierEndpoints.deleteRequest, async ({ subject, params, query }) => {
    if (!ledger.isOpen()) return refuse('LEDGER_CHECK_FAILED')
    return sayingWho(await deleteRequest(deps, subject, params.id, query.from ?? null))
  })
}

const sayingWho = <T>(answer: T | AlreadyDecided) =>
  answer !== null && typeof answer === 'object' && 'alreadyDecided' in answer
    ? refuse('ALREADY_DECIDED', whoDecided(answer.alreadyDecided))
    : answer

/** Returns the refusal's details, for the client's message "An vừa xử lý" ("An has just handled it"). */
const whoDecided = ({ decidedBy, decidedAtMs, status }: CashRequest) => ({
  decidedBy: decidedBy?.username ?? null,
  decidedAt: decidedAtMs === null ? null : new Date(decidedAtMs).toISOString(),
  status: z.encode(requestStatus, status),
})
