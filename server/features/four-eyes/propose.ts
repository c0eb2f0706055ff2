import { type ProposalKind, PROPOSAL_LIFETIME_MS, sizeOf, whySecondPerson } from '#domain/four-eyes/proposal.ts'
import type { Minor } from '#domain/money.ts'
import { recordAct } from '#server/features/audit/index.ts'
import { queueAct } from '#server/features/book/index.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { type Refused, refuse } from '#server/platform/http/errors.ts'
import { newId } from '#server/platform/process/ids.ts'
import { readNowMs } from '#server/platform/database/now.ts'
import { endProposalRow, EXPIRED, factsOf } from './end-proposal.ts'
import type { FourEyes } from './ports.ts'
import { readProposal } from './queries.ts'
import { lockOpen, type ProposalTarget } from './rows.ts'
import { readDaySums } from './sum.ts'

export interface Wish {
  readonly kind: ProposalKind
  readonly ownerId: string
  readonly amountMinor: Minor
  readonly requestId?: string
  readonly disputeId?: string
  /** Stored with the executed act; null for an act on a cash request. */
  readonly reason: string | null
}

/**
 * Stores a proposal in place of an act that moves a player's points, if the act needs a second person. Returns null if
 * the act may be executed now, else the id of the proposal. If the same admin repeats the act, this is the id of the
 * open proposal. Refuses a different act on a target with an open proposal, except an adjustment that needs no second
 * person. The caller holds the locks of the act and of the owner's accounts.
 */
export async function proposeInstead(
  tx: Tx,
  fourEyes: FourEyes,
  actorId: string,
  wish: Wish,
): Promise<string | Refused<'PROPOSAL_OPEN'> | null> {
  const { kind, ownerId, amountMinor, requestId = null, disputeId = null, reason } = wish
  const sums = await readDaySums(tx, ownerId, actorId)
  const isNeeded = whySecondPerson({ fromMinor: fourEyes.fromMinor, ...sums, amountMinor }) !== null
  // A request or dispute waits for the end of its open proposal, even if an act on it needs no second person any more.
  if (!isNeeded && kind === 'adjustment') return null
  const open = await lockOpen(tx, targetOf(wish))
  const nowMs = await readNowMs(tx)
  if (open !== null && open.expiresAt.getTime() > nowMs) {
    const isSame = open.proposedBy === actorId && open.amountMinor === amountMinor && open.reason === reason
    return isSame ? open.id : refuse('PROPOSAL_OPEN', { proposalId: open.id })
  }
  // If the act needs no second person, an expired proposal is left to `overtakeProposal`. Ending it here would lock the
  // tip of the audit log, which must be locked last, but the caller still takes locks when it executes the act.
  if (!isNeeded) return null
  if (open !== null) await endProposalRow(tx, fourEyes, open, EXPIRED)
  const id = newId()
  const summedMinor = sums.movedMinor + sizeOf(amountMinor)
  const adminSummedMinor = sums.byAdminMinor + sizeOf(amountMinor)
  await tx.query(
    `insert into money_proposals (id, kind, owner_id, amount, request_id, dispute_id, reason, summed, summed_by_admin,
       proposed_by, proposed_at, expires_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      id,
      kind,
      ownerId,
      amountMinor,
      requestId,
      disputeId,
      reason,
      summedMinor,
      adminSummedMinor,
      actorId,
      new Date(nowMs),
      new Date(nowMs + PROPOSAL_LIFETIME_MS),
    ],
  )
  await queueAct(tx, 'money.propose', actorId, {
    atMs: nowMs,
    amountMinor,
    reason: reason === null ? null : { text: reason, ref: `proposal:${id}` },
  })
  const people = (await readProposal(tx, id))?.secondPeople ?? []
  const confirmableFromMs =
    people.length === 0 ? null : Math.max(nowMs, Math.min(...people.map(({ fromMs }) => fromMs)))
  await recordAct(tx, actorId, 'money.propose', `user:${ownerId}`, {
    after: {
      proposal: 'waiting',
      ...factsOf({ id, kind, amountMinor, requestId, disputeId }),
      summedMinor: String(summedMinor),
      adminSummedMinor: String(adminSummedMinor),
      confirmableFrom: confirmableFromMs === null ? null : new Date(confirmableFromMs).toISOString(),
    },
    reason,
  })
  tx.afterCommit(() => fourEyes.hints.proposalChanged(id))
  return id
}

const targetOf = ({ requestId, disputeId, ownerId }: Wish): ProposalTarget =>
  requestId !== undefined ? { requestId } : disputeId !== undefined ? { disputeId } : { adjusted: ownerId }
