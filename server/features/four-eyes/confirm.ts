import { decideConfirm } from '#domain/four-eyes/proposal.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { recordAct } from '#server/features/audit/index.ts'
import { queueAct } from '#server/features/book/index.ts'
import { lockSubject } from '#server/platform/http/auth.ts'
import type { Database, Tx } from '#server/platform/database/db.ts'
import { isRefused, refuse } from '#server/platform/http/errors.ts'
import { readNowMs } from '#server/platform/database/now.ts'
import { retrying } from '#server/platform/process/retrying.ts'
import { factsOf } from './end-proposal.ts'
import type { LedgerGuard } from '#server/features/wallet/index.ts'
import type { Executors, FourEyes } from './ports.ts'
import { readProposal } from './queries.ts'
import { type ProposalRow, readRow, standingOf } from './rows.ts'
import { readConfirmerSince } from './second-people.ts'

export interface ConfirmDeps {
  readonly db: Database
  readonly ledger: Pick<LedgerGuard, 'isOpen'>
  readonly fourEyes: FourEyes
  readonly executors: Executors
}

/** Confirms a proposal as the second person (rules §3.10). The `Execute` of its kind checks and executes the act. */
export const confirmProposal = (
  { db, ledger, fourEyes, executors }: ConfirmDeps,
  subject: Subject,
  proposalId: string,
) =>
  retrying(db, async (tx) => {
    const found = await readRow(tx, proposalId)
    if (found === null) return refuse('NOT_FOUND')
    const actor = await lockSubject(tx, subject, 'staff:money', [found.proposedBy, found.ownerId])
    if (isRefused(actor)) return actor
    // The proposal is read again: another confirmation may have ended it while this call waited for the locks.
    const seen = (await readRow(tx, proposalId)) ?? found
    const nowMs = await readNowMs(tx)
    const sinceMs = await readConfirmerSince(tx, proposalId, actor.userId, nowMs)
    const proposer = await readProposer(tx, seen)
    const since = sinceMs === null ? null : new Date(sinceMs)
    const judge = async (row: ProposalRow | null) => {
      if (row === null) return refuse('NOT_FOUND')
      const decision = decideConfirm({
        ...standingOf(row),
        nowMs: await readNowMs(tx),
        actorId: actor.userId,
        isSecondPerson: since !== null,
        proposerMay: proposer.may,
      })
      return decision.ok ? decision.is : refuse(decision.refusal)
    }
    // The proposal is judged before the act's own checks, which would refuse an ended proposal for a misleading reason.
    const first = await judge(seen)
    if (first === 'confirm' && !ledger.isOpen()) return refuse('LEDGER_CHECK_FAILED')
    const admit = async () => {
      const judged = await judge(await readRow(tx, proposalId, 'for update'))
      if (judged === 'confirm') await writeConfirmed(tx, seen, actor.userId, since)
      return judged === 'confirm' ? null : judged
    }
    const toExecute = { ...seen, proposer: { id: seen.proposedBy, username: proposer.username } }
    const done = first === 'confirm' ? await executors[seen.kind](tx, toExecute, actor, admit) : first
    if (isRefused(done)) return done
    if (done === 'AMOUNT_LIMIT' || done === 'USER_DELETED' || done === 'NOT_FOUND') return refuse(done)
    if (done === null) {
      await recordAct(tx, actor.userId, 'money.confirm', `user:${seen.ownerId}`, {
        before: { proposal: 'waiting', ...factsOf(seen) },
        after: { proposal: 'confirmed', proposer: seen.proposedBy, moneySince: since?.toISOString() ?? null },
        reason: seen.reason,
      })
      tx.afterCommit(() => fourEyes.hints.proposalChanged(proposalId))
    }
    return (await readProposal(tx, proposalId)) ?? refuse('NOT_FOUND')
  })

/** @param since the time at which the confirmer got the capability `money` */
async function writeConfirmed(
  tx: Tx,
  { id, amountMinor, proposedAt }: ProposalRow,
  actorId: string,
  since: Date | null,
) {
  await tx.query(
    `update money_proposals
        set status = 'confirmed', ended_by = $2, ended_at = clock_timestamp(), confirmer_since = $3
      where id = $1 and status = 'open'`,
    [id, actorId, since],
  )
  await queueAct(tx, 'money.confirm', actorId, {
    amountMinor,
    reason: {
      text: `Đề nghị lúc ${proposedAt.toISOString()}, người xác nhận có quyền Điểm từ ${since?.toISOString() ?? ''}`,
      ref: `proposal:${id}:confirm`,
    },
  })
}

/**
 * Returns the proposer's name, and in `may` whether the proposer still has `money`. If the proposer's password was
 * reset after the proposal, `may` is false, because somebody else may have made the proposal from the account.
 */
async function readProposer(tx: Tx, { proposedBy, proposedAt }: ProposalRow) {
  const { rows } = await tx.query<{ username: string; may: boolean }>(
    `select username, money_since is not null and coalesce(password_reset_at < $2, true) as may
       from users where id = $1`,
    [proposedBy, proposedAt],
  )
  return rows[0] ?? { username: '', may: false }
}
