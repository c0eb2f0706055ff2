import { CANCELLED_BY_OWNER, DELETED_BY_STAFF, type RequestStatus } from '#domain/cashier/request.ts'
import type { Admission, Subject } from '#domain/identity/permissions.ts'
import { recordAct } from '#server/features/audit/index.ts'
import { acting } from '#server/platform/http/acting.ts'
import { type RefusedBy, refuse } from '#server/platform/http/errors.ts'
import type { AlreadyDecided } from './decide-request.ts'
import { endRequest, lockRequest } from './end-request.ts'
import type { CashierDeps } from './ports.ts'
import { readRequest } from './queries.ts'

const WHO: Admission = { access: 'player', asStaff: 'staff:money' }

/**
 * Cancels a pending request for its owner. For staff, hides a request from staff's lists, and rejects it first if it is
 * pending; the owner's list and the ledger keep the request (rules §1.3, §3.6).
 * @param from the status that staff saw; null if the client did not send it
 */
export async function deleteRequest(
  deps: CashierDeps,
  subject: Subject,
  requestId: string,
  from: RequestStatus | null,
): Promise<AlreadyDecided | RefusedBy<'deleteRequest'> | null> {
  const { db, hints } = deps
  const ending = (rejectionReason: string) => ({ actorId: subject.userId, rejectionReason, note: null })
  return acting(db, subject, WHO, async (tx, actor) => {
    const request = await lockRequest(tx, requestId)
    const isOwner = request?.owner_id === subject.userId
    // Players must not learn whether a request of another account exists.
    if (request === null || (!isOwner && actor.role !== 'admin')) return refuse('NOT_FOUND')
    if (isOwner) {
      if (request.status !== 'pending') return refuse('ALREADY_DECIDED')
      await endRequest(tx, deps, request, ending(CANCELLED_BY_OWNER))
      return null
    }
    if (from === 'pending' && request.status !== 'pending') {
      const decided = await readRequest(tx, requestId)
      return decided === null ? refuse('NOT_FOUND') : { alreadyDecided: decided }
    }
    if (request.status === 'pending') await endRequest(tx, deps, request, ending(DELETED_BY_STAFF))
    if (request.hidden_at !== null) return null
    await tx.query(`update cash_requests set hidden_at = clock_timestamp() where id = $1`, [requestId])
    await recordAct(tx, subject.userId, 'request.delete', `request:${requestId}`, {
      before: { status: request.status, kind: request.kind, amountMinor: String(request.amount) },
    })
    tx.afterCommit(() => hints.requestChanged(requestId))
    return null
  })
}
