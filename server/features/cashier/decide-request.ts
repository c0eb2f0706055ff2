import type { CashRequest } from '#contract/cashier.ts'
import { decideRequest } from '#domain/cashier/request.ts'
import { noteOfBoth } from '#domain/four-eyes/proposal.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { recordAct } from '#server/features/audit/index.ts'
import { type Execute, proposeInstead } from '#server/features/four-eyes/index.ts'
import { lockAccounts } from '#server/features/wallet/index.ts'
import { acting } from '#server/platform/http/acting.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { isRefused, type RefusedBy, refuse } from '#server/platform/http/errors.ts'
import { endRequest, type LockedRequest, lockRequest } from './end-request.ts'
import type { CashierDeps } from './ports.ts'
import { readRequest } from './queries.ts'

type Verdict = Pick<Parameters<typeof decideRequest>[0], 'verdict' | 'reason' | 'from'>

export type AlreadyDecided = { readonly alreadyDecided: CashRequest }

/**
 * Approves or rejects a request once, or edits the reason of a rejection (rules §3.6). An approval that needs a second
 * person leaves the request pending, with a proposal.
 */
export async function decideOnRequest(
  deps: CashierDeps,
  subject: Subject,
  requestId: string,
  { verdict, reason, from }: Verdict,
): Promise<CashRequest | AlreadyDecided | RefusedBy<'decideRequest'>> {
  const { db, hints, fourEyes } = deps
  return acting(db, subject, 'staff:money', async (tx) => {
    const request = await lockRequest(tx, requestId)
    if (request === null) return refuse('NOT_FOUND')
    const isOwnRequest = request.owner_id === subject.userId
    const move = decideRequest({ status: request.status, verdict, reason, from, isOwnRequest })
    if (!move.ok) {
      const decided = move.refusal === 'ALREADY_DECIDED' ? await readRequest(tx, requestId) : null
      return decided === null ? refuse(move.refusal) : { alreadyDecided: decided }
    }
    const text = reason.trim()
    if (move.move === 'edit-reason') {
      await tx.query(`update cash_requests set rejection_reason = $2 where id = $1 and status = 'rejected'`, [
        requestId,
        text,
      ])
      await record(tx, request, move.move, subject.userId, text)
      tx.afterCommit(() => {
        hints.requestChanged(requestId)
        hints.accountChanged(request.owner_id)
      })
    } else if (move.move === 'reject') {
      await endRequest(tx, deps, request, { actorId: subject.userId, rejectionReason: text, note: null })
      await record(tx, request, move.move, subject.userId, text)
    } else {
      const { kind, owner_id: ownerId, amount: amountMinor } = request
      await lockAccounts(tx, [ownerId])
      const wish = { kind, ownerId, amountMinor, requestId, reason: null }
      const proposed = await proposeInstead(tx, fourEyes, subject.userId, wish)
      if (isRefused(proposed)) return proposed
      if (proposed === null) await approve(tx, deps, request, subject.userId, null)
    }
    return (await readRequest(tx, requestId)) ?? refuse('NOT_FOUND')
  })
}

export const approveProposed =
  (deps: Pick<CashierDeps, 'hints' | 'fourEyes'>): Execute =>
  async (tx, { requestId, ownerId, proposer }, confirmer, admit) => {
    const request = requestId === null ? null : await lockRequest(tx, requestId)
    if (request === null) return 'NOT_FOUND'
    await lockAccounts(tx, [ownerId])
    const refused = await admit()
    if (refused !== null) return refused
    // `admit` has found the proposal open. A request's end also ends its proposal, so the request is still pending.
    await approve(tx, deps, request, confirmer.userId, noteOfBoth(null, proposer.username, confirmer.username))
    return null
  }

async function approve(
  tx: Tx,
  deps: Pick<CashierDeps, 'hints' | 'fourEyes'>,
  request: LockedRequest,
  actorId: string,
  note: string | null,
): Promise<void> {
  await endRequest(tx, deps, request, { actorId, rejectionReason: null, note })
  await record(tx, request, 'approve', actorId, null)
}

const record = (
  tx: Tx,
  request: LockedRequest,
  move: 'approve' | 'reject' | 'edit-reason',
  actorId: string,
  reason: string | null,
): Promise<void> =>
  recordAct(tx, actorId, `request.${move}`, `request:${request.id}`, {
    before: { status: request.status, reason: request.rejection_reason },
    after: {
      status: move === 'approve' ? 'approved' : 'rejected',
      reason,
      kind: request.kind,
      amountMinor: String(request.amount),
      owner: request.owner_id,
    },
    reason,
  })
