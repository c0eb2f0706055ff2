import type { AuditAct } from '#contract/back-office.ts'
import { decideEnd, type ProposalStatus } from '#domain/four-eyes/proposal.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { type Json, recordAct } from '#server/features/audit/index.ts'
import { queueAct } from '#server/features/book/index.ts'
import type { Database, Tx } from '#server/platform/database/db.ts'
import { readNowMs } from '#server/platform/database/now.ts'
import { acting } from '#server/platform/http/acting.ts'
import { refuse } from '#server/platform/http/errors.ts'
import type { FourEyes } from './ports.ts'
import { readProposal } from './queries.ts'
import { lockOpen, type ProposalRow, type ProposalTarget, readRow, standingOf } from './rows.ts'

export const factsOf = ({
  id: proposalId,
  kind,
  amountMinor,
  requestId: request,
  disputeId: dispute,
}: Pick<ProposalRow, 'id' | 'kind' | 'amountMinor' | 'requestId' | 'disputeId'>): Record<string, Json> => ({
  ...{ proposalId, kind, amountMinor: String(amountMinor) },
  ...(request !== null && { request }),
  ...(dispute !== null && { dispute }),
})

interface Ending {
  readonly status: Exclude<ProposalStatus, 'open' | 'confirmed'>
  /** The user who ended the proposal; null if it expired. */
  readonly by: string | null
  /** The admin whom audit log and open book name. Null if the proposal expired, or its player cancelled the request. */
  readonly actorId: string | null
  readonly reason: string | null
}

export const EXPIRED: Ending = { status: 'expired', by: null, actorId: null, reason: null }

/** Ends a proposal without executing it. The caller has locked the row, whose status is `open`. */
export async function endProposalRow(
  tx: Tx,
  fourEyes: Pick<FourEyes, 'hints'>,
  row: ProposalRow,
  ending: Ending,
): Promise<void> {
  const { rowCount } = await tx.query(
    `update money_proposals set status = $2, ended_by = $3, ended_at = clock_timestamp(), end_reason = $4
      where id = $1 and status = 'open'`,
    [row.id, ending.status, ending.by, ending.reason],
  )
  if (rowCount === 0) throw new Error('A proposal ended although its row was locked.')
  await queueAct(tx, 'money.withdraw', ending.actorId, {
    amountMinor: row.amountMinor,
    reason: ending.reason === null ? null : { text: ending.reason, ref: `proposal:${row.id}:end` },
  })
  const act: AuditAct = ending.status === 'expired' ? 'money.expire' : 'money.withdraw'
  await recordAct(tx, ending.actorId ?? 'system', act, `user:${row.ownerId}`, {
    before: { proposal: 'waiting', ...factsOf(row) },
    after: { proposal: ending.status },
    reason: ending.reason,
  })
  tx.afterCommit(() => fourEyes.hints.proposalChanged(row.id))
}

/**
 * Ends the open proposal, if any, about a request or dispute that ends now in another way: by its owner, or by a
 * decision of staff. Called in the transaction that ends the request or dispute, once the transaction has locked the
 * accounts (rules §3.9).
 */
export async function overtakeProposal(
  tx: Tx,
  fourEyes: Pick<FourEyes, 'hints'>,
  target: ProposalTarget,
  by: { readonly userId: string; readonly isOwner: boolean },
): Promise<void> {
  const row = await lockOpen(tx, target)
  if (row === null) return
  // A proposal whose time is over ends here, too: if the clock were set back, it could be confirmed without its target.
  const isOver = row.expiresAt.getTime() <= (await readNowMs(tx))
  const actorId = by.isOwner ? null : by.userId
  const overtaken: Ending = { status: 'overtaken', by: by.userId, actorId, reason: null }
  await endProposalRow(tx, fourEyes, row, isOver ? EXPIRED : overtaken)
}

/** Withdraws the admin's own proposal, or refuses a colleague's with a reason. No points move (rules §3.10). */
export const endProposal = (
  { db, fourEyes }: { readonly db: Database; readonly fourEyes: FourEyes },
  subject: Subject,
  proposalId: string,
  reason: string,
) =>
  acting(db, subject, 'staff:money', async (tx, actor) => {
    const row = await readRow(tx, proposalId, 'for update')
    if (row === null) return refuse('NOT_FOUND')
    const decision = decideEnd({ ...standingOf(row), nowMs: await readNowMs(tx), actorId: actor.userId, reason })
    if (!decision.ok) return refuse(decision.refusal)
    if (decision.is !== 'repeated')
      await endProposalRow(tx, fourEyes, row, {
        status: decision.is === 'withdraw' ? 'withdrawn' : 'refused',
        by: actor.userId,
        actorId: actor.userId,
        reason: reason.trim() || null,
      })
    return (await readProposal(tx, proposalId)) ?? refuse('NOT_FOUND')
  })
