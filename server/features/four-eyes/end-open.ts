import type { AuditAct } from '#contract/back-office.ts'
import type { ProposalStatus } from '#domain/four-eyes/proposal.ts'
import { type Json, recordAct } from '#server/features/audit/index.ts'
import { queueAct } from '#server/features/book/index.ts'
import type { Tx } from '#server/platform/database/db.ts'
import type { FourEyes } from './ports.ts'
import { lockOpen, type ProposalRow, type ProposalTarget } from './rows.ts'

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
  readonly by: string | null
  /** The admin in audit log and open book; null for the system, also where the player cancelled their request. */
  readonly actorId: string | null
  readonly reason: string | null
}

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
  await queueAct(tx, {
    act: 'money.withdraw',
    actorId: ending.actorId,
    amountMinor: row.amountMinor,
    reason: ending.reason === null ? null : { text: ending.reason, ref: `proposal:${row.id}:end` },
  })
  const act: AuditAct = ending.status === 'expired' ? 'money.expire' : 'money.withdraw'
  await recordAct(tx, {
    actor: ending.actorId ?? 'system',
    act,
    target: `user:${row.ownerId}`,
    before: { proposal: 'waiting', ...factsOf(row) },
    after: { proposal: ending.status },
    reason: ending.reason,
  })
  tx.afterCommit(() => fourEyes.hints.proposalChanged(row.id))
}

/**
 * Ends the open proposal about a request or a dispute that ended another way: its owner cancelled it, or staff decided
 * otherwise. To be called in that act's transaction, as the last step but its audit record.
 */
export async function overtakeProposal(
  tx: Tx,
  fourEyes: Pick<FourEyes, 'hints'>,
  target: ProposalTarget,
  by: { readonly userId: string; readonly isOwner: boolean },
): Promise<void> {
  const row = await lockOpen(tx, target)
  if (row === null) return
  const actorId = by.isOwner ? null : by.userId
  await endProposalRow(tx, fourEyes, row, { status: 'overtaken', by: by.userId, actorId, reason: null })
}
