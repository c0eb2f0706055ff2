import type { Proposal } from '#contract/proposals.ts'
import { decideEnd } from '#domain/four-eyes/proposal.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { acting } from '#server/platform/http/acting.ts'
import type { Database } from '#server/platform/database/db.ts'
import { type RefusedBy, refuse } from '#server/platform/http/errors.ts'
import { readNowMs } from '#server/platform/database/now.ts'
import { endProposalRow } from './end-open.ts'
import type { FourEyes } from './ports.ts'
import { readProposal } from './queries.ts'
import { lockRow, standingOf } from './rows.ts'

/** Withdraws one's own proposal, or refuses a colleague's with a reason. Nothing moves (rules §3.10). */
export async function endProposal(
  { db, fourEyes }: { readonly db: Database; readonly fourEyes: FourEyes },
  subject: Subject,
  proposalId: string,
  reason: string,
): Promise<Proposal | RefusedBy<'endProposal'>> {
  return acting(db, subject, 'staff:money', async (tx, actor) => {
    const row = await lockRow(tx, proposalId)
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
}
