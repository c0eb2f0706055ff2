import type { Proposal } from '#contract/proposals.ts'
import { decideConfirm } from '#domain/four-eyes/proposal.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { recordAct } from '#server/features/audit/index.ts'
import { queueAct } from '#server/features/book/index.ts'
import { lockSubject } from '#server/platform/auth.ts'
import type { Database, Tx } from '#server/platform/db.ts'
import { isRefused, refuse } from '#server/platform/errors.ts'
import { readNowMs } from '#server/platform/now.ts'
import { retrying } from '#server/platform/retrying.ts'
import { factsOf } from './end-open.ts'
import type { ConfirmRefusal, Executors, FourEyes } from './ports.ts'
import { readProposal } from './queries.ts'
import { lockRow, type ProposalRow, readRow, standingOf } from './rows.ts'

export interface ConfirmDeps {
  readonly db: Database
  readonly fourEyes: FourEyes
  readonly executors: Executors
}

/**
 * Confirms as the second person: the act is judged and executed now, by the code of the act itself, with the confirmer
 * as its actor and both names in what the owner reads (rules §3.10).
 */
export async function confirmProposal(
  { db, fourEyes, executors }: ConfirmDeps,
  subject: Subject,
  proposalId: string,
): Promise<Proposal | ConfirmRefusal> {
  return retrying(db, async (tx) => {
    const seen = await readRow(tx, proposalId)
    if (seen === null) return refuse('NOT_FOUND')
    const actor = await lockSubject(tx, subject, 'staff:money', [seen.proposed_by, seen.owner_id])
    if (isRefused(actor)) return actor
    const proposer = await readProposer(tx, seen.proposed_by)
    const toExecute = {
      id: seen.id,
      kind: seen.kind,
      ownerId: seen.owner_id,
      amountMinor: seen.amount,
      requestId: seen.request_id,
      disputeId: seen.dispute_id,
      reason: seen.reason,
      proposer: { id: seen.proposed_by, username: proposer.username },
    }
    const judge = async (row: ProposalRow | null) => {
      if (row === null) return refuse('NOT_FOUND')
      const decision = decideConfirm({
        ...standingOf(row),
        nowMs: await readNowMs(tx),
        actorId: actor.userId,
        proposerMay: proposer.may,
      })
      return decision.ok ? decision.is : refuse(decision.refusal)
    }
    // First without its lock, so that what has ended is said as such, and not as what ended it.
    const first = await judge(seen)
    const done =
      first !== 'confirm'
        ? first
        : await executors[seen.kind](tx, toExecute, actor, async () => {
            const judged = await judge(await lockRow(tx, proposalId))
            if (judged !== 'confirm') return judged
            await tx.query(
              `update money_proposals set status = 'confirmed', ended_by = $2, ended_at = clock_timestamp()
                where id = $1 and status = 'open'`,
              [proposalId, actor.userId],
            )
            await queueAct(tx, { act: 'money.confirm', actorId: actor.userId, amountMinor: seen.amount })
            return null
          })
    if (isRefused(done)) return done
    if (done === 'AMOUNT_LIMIT') return refuse('AMOUNT_LIMIT')
    if (done === 'USER_DELETED') return refuse('USER_DELETED')
    if (done === 'NOT_FOUND') return refuse('NOT_FOUND')
    if (done === null) {
      await recordAct(tx, {
        actor: actor.userId,
        act: 'money.confirm',
        target: `user:${seen.owner_id}`,
        before: { proposal: 'waiting', ...factsOf(seen) },
        after: { proposal: 'confirmed', proposer: seen.proposed_by },
        reason: seen.reason,
      })
      tx.afterCommit(() => fourEyes.hints.proposalChanged(proposalId))
    }
    return (await readProposal(tx, proposalId)) ?? refuse('NOT_FOUND')
  })
}

/** The proposer, locked already, and whether they may still move money. */
async function readProposer(tx: Tx, userId: string): Promise<{ username: string; may: boolean }> {
  const { rows } = await tx.query<{ username: string; may: boolean }>(
    `select username, role = 'admin' and 'money' = any(capabilities) and not is_frozen and deleted_at is null as may from users where id = $1`,
    [userId],
  )
  return rows[0] ?? { username: '', may: false }
}
