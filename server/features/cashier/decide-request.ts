import type { CashRequest } from '#contract/cashier.ts'
import { decideRequest, type RequestStatus } from '#domain/cashier/request.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { recordAct } from '#server/features/audit/index.ts'
import { lockSubject } from '#server/platform/auth.ts'
import { isRefused, type RefusedBy, refuse } from '#server/platform/errors.ts'
import { retrying } from '#server/platform/retrying.ts'
import { endRequest, lockRequest } from './end-request.ts'
import type { CashierDeps } from './ports.ts'
import { readRequest } from './queries.ts'

export interface Verdict {
  readonly verdict: 'approved' | 'rejected'
  readonly reason: string
  /** The status that the admin saw, when the client sends it. */
  readonly from: RequestStatus | null
}

/** Another admin decided first: the request with that decision. */
export class AlreadyDecided {
  readonly request: CashRequest
  constructor(request: CashRequest) {
    this.request = request
  }
}

/**
 * Approves or rejects a request once, or edits the reason of a rejection (rules §3). When two admins decide, the second
 * gets the first one's decision.
 */
export async function decideOnRequest(
  { db, hints }: CashierDeps,
  subject: Subject,
  requestId: string,
  { verdict, reason, from }: Verdict,
): Promise<CashRequest | AlreadyDecided | RefusedBy<'decideRequest'>> {
  return retrying(db, async (tx) => {
    const actor = await lockSubject(tx, subject, 'staff')
    if (isRefused(actor)) return actor
    const request = await lockRequest(tx, requestId)
    if (request === null) return refuse('NOT_FOUND')
    const isOwnRequest = request.owner_id === subject.userId
    const move = decideRequest({ status: request.status, verdict, reason, from, isOwnRequest })
    if (!move.ok) {
      const decided = move.refusal === 'ALREADY_DECIDED' ? await readRequest(tx, requestId) : null
      return decided === null ? refuse(move.refusal) : new AlreadyDecided(decided)
    }
    const text = reason.trim()
    if (move.move === 'edit-reason')
      await tx.query(`update cash_requests set rejection_reason = $2 where id = $1 and status = 'rejected'`, [
        requestId,
        text,
      ])
    else await endRequest(tx, hints, request, subject.userId, move.move === 'reject' ? text : null)
    await recordAct(tx, {
      actor: subject.userId,
      act: `request.${move.move}`,
      target: `request:${requestId}`,
      before: { status: request.status, reason: request.rejection_reason },
      after: {
        status: verdict,
        reason: verdict === 'rejected' ? text : null,
        kind: request.kind,
        amountMinor: String(request.amount),
        owner: request.owner_id,
      },
      reason: verdict === 'rejected' ? text : null,
    })
    if (move.move === 'edit-reason')
      tx.afterCommit(() => {
        hints.requestChanged(requestId)
        hints.accountChanged(request.owner_id)
      })
    return (await readRequest(tx, requestId)) ?? refuse('NOT_FOUND')
  })
}
