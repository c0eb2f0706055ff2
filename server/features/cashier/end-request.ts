import type { RequestKind, RequestStatus } from '#domain/cashier/request.ts'
import { wallet } from '#domain/ledger/accounts.ts'
import { captureTransfer, depositTransfer, releaseTransfer, type Transfer } from '#domain/ledger/transfers.ts'
import { type FourEyes, overtakeProposal } from '#server/features/four-eyes/index.ts'
import { queuePush } from '#server/features/push/index.ts'
import { lockAccounts, postTransfers } from '#server/features/wallet/index.ts'
import type { Row, Tx } from '#server/platform/database/db.ts'
import type { CashierHints } from './ports.ts'

export interface LockedRequest extends Row {
  id: string
  owner_id: string
  kind: RequestKind
  amount: bigint
  status: RequestStatus
  rejection_reason: string | null
  hidden_at: Date | null
}

/** Locks a request. To avoid deadlocks, lock users before a request, and accounts after the request. */
export async function lockRequest(tx: Tx, requestId: string): Promise<LockedRequest | null> {
  const { rows } = await tx.query<LockedRequest>(
    `select id, owner_id, kind, amount, status, rejection_reason, hidden_at from cash_requests
      where id = $1 for update`,
    [requestId],
  )
  return rows[0] ?? null
}

export interface Ending {
  readonly actorId: string
  readonly rejectionReason: string | null
  /** The transfer's note, which names two people who approved; null if one person decided. */
  readonly note: string | null
}

/**
 * Returns the transfer that ends a request; null for a rejected deposit. However a request ends, its transfer has the
 * same id, so that only one ending can be booked (rules §3.6).
 */
function closing(request: LockedRequest, { actorId, rejectionReason, note }: Ending): Transfer | null {
  const { id, owner_id, amount } = request
  const isApproved = rejectionReason === null
  if (request.kind === 'withdrawal')
    return isApproved
      ? captureTransfer(id, owner_id, amount, actorId, note)
      : releaseTransfer(id, owner_id, amount, actorId)
  return isApproved ? depositTransfer(id, owner_id, amount, actorId, note) : null
}

/** Rejects a locked, pending request, or approves it if `rejectionReason` is null. Ends an open proposal about it. */
export async function endRequest(
  tx: Tx,
  { hints, fourEyes }: { readonly hints: CashierHints; readonly fourEyes: Pick<FourEyes, 'hints'> },
  request: LockedRequest,
  ending: Ending,
): Promise<void> {
  const { actorId, rejectionReason } = ending
  const isApproved = rejectionReason === null
  const accounts = await lockAccounts(tx, [request.owner_id])
  const { rows } = await tx.query<{ now: Date }>(
    `update cash_requests set status = $2, rejection_reason = $3, decided_by = $4,
       decided_at = date_trunc('milliseconds', clock_timestamp())
      where id = $1 and status = 'pending' returning decided_at as now`,
    [request.id, isApproved ? 'approved' : 'rejected', rejectionReason, actorId],
  )
  const decidedAt = rows[0]?.now
  if (decidedAt === undefined) throw new Error('A request left pending although its row was locked.')
  const transfer = closing(request, ending)
  if (transfer !== null) await postTransfers(tx, [transfer], decidedAt.getTime(), accounts)
  const { id, owner_id: ownerId, amount } = request
  if (actorId !== ownerId) await queuePush(tx, ownerId, 'request-decided')
  await overtakeProposal(tx, fourEyes, { requestId: id }, { userId: actorId, isOwner: actorId === ownerId })
  const before = accounts.find(({ kind }) => kind === wallet(ownerId).kind)?.balanceMinor ?? 0n
  tx.afterCommit(() => {
    hints.requestChanged(id)
    hints.accountChanged(ownerId)
    // A paid withdrawal does not change the wallet: its points were reserved when it was filed.
    if (transfer?.to.kind === 'wallet') hints.balanceChanged(ownerId, before + amount)
  })
}
