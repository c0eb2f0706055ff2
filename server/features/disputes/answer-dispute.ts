import type { Dispute } from '#contract/disputes.ts'
import { cleanSentence, decideAnswer, type DisputeStatus } from '#domain/disputes/dispute.ts'
import { noteOfBoth } from '#domain/four-eyes/proposal.ts'
import type { RoundType } from '#domain/game/calendar.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { adjustmentTransfer } from '#domain/ledger/transfers.ts'
import type { Minor } from '#domain/money.ts'
import { recordAct } from '#server/features/audit/index.ts'
import { queueAct, queueEntries } from '#server/features/book/index.ts'
import { storeServerMessage } from '#server/features/chat/index.ts'
import { type Execute, overtakeProposal, proposeInstead } from '#server/features/four-eyes/index.ts'
import { queuePush } from '#server/features/push/index.ts'
import { lockAccounts, type LockedAccount, postTransfers } from '#server/features/wallet/index.ts'
import { acting } from '#server/platform/http/acting.ts'
import { judgeParts } from '#server/platform/http/auth.ts'
import type { Row, Tx } from '#server/platform/database/db.ts'
import { isRefused, type RefusedBy, refuse } from '#server/platform/http/errors.ts'
import { readNowMs } from '#server/platform/database/now.ts'
import { readSeal } from './bet-seal.ts'
import type { DisputeDeps } from './ports.ts'
import { readDispute } from './queries.ts'
import { sealSentence } from './sealed-sentence.ts'

export interface Answer {
  readonly verdict: 'upheld' | 'rejected'
  readonly text: string
  readonly correctionMinor: Minor | null
}

export type AlreadyAnswered = { readonly alreadyAnswered: Dispute }

interface LockedRow extends Row {
  id: string
  bet_id: string
  owner_id: string
  conversation_id: string
  status: DisputeStatus
  generation: number | null
  stake: bigint
  round_index: bigint
  round_type: RoundType
}

/**
 * Upholds a dispute and corrects the owner's balance, or rejects the dispute (rules §9.2). If the correction needs a
 * second person, stores a proposal instead, and the dispute stays open (rules §3.10).
 */
export async function answerDispute(
  deps: Omit<DisputeDeps, 'ledger'>,
  subject: Subject,
  disputeId: string,
  answer: Answer,
): Promise<Dispute | AlreadyAnswered | RefusedBy<'answerDispute'>> {
  const { db, fourEyes } = deps
  const text = cleanSentence(answer.text)
  return acting(db, subject, 'staff', async (tx, actor) => {
    // Upholding, which changes a balance, needs `money`. Rejecting, which sends a message, needs `care` (rules §4.5).
    const missing = judgeParts([answer.verdict === 'upheld' ? 'money' : 'care'], actor)
    if (missing !== null) return missing
    const dispute = await lockDispute(tx, disputeId)
    if (dispute === null) return refuse('NOT_FOUND')
    const refusal = decideAnswer({
      status: dispute.status,
      isOwnDispute: dispute.owner_id === actor.userId,
      verdict: answer.verdict,
      text,
      correctionMinor: answer.correctionMinor,
      stakeMinor: dispute.stake,
    })
    if (refusal !== null) {
      const answered = refusal === 'ALREADY_DECIDED' ? await readDispute(tx, disputeId) : null
      return answered === null ? refuse(refusal) : { alreadyAnswered: answered }
    }
    const { owner_id: ownerId } = dispute
    const accounts = await lockAccounts(tx, [ownerId])
    const { correctionMinor } = answer
    const sentence = text ?? ''
    const proposed =
      correctionMinor === null
        ? null
        : await proposeInstead(tx, fourEyes, actor.userId, {
            kind: 'correction',
            ownerId,
            amountMinor: correctionMinor,
            disputeId,
            reason: sentence,
          })
    if (isRefused(proposed)) return proposed
    if (proposed === null)
      await write(tx, deps, dispute, accounts, { ...answer, text: sentence, by: actor.userId, confirmer: null })
    // If a proposal was stored, the player is not notified, and learns of the correction only once it is booked.
    return (await readDispute(tx, disputeId)) ?? refuse('NOT_FOUND')
  })
}

/** Upholds the dispute with the proposer's sentence, and books the correction in the name of the confirming admin. */
export const answerProposed =
  (deps: Pick<DisputeDeps, 'hints' | 'emitMessage' | 'fourEyes'>): Execute =>
  async (tx, { disputeId, ownerId, amountMinor, reason, proposer }, confirmer, admit) => {
    const dispute = disputeId === null ? null : await lockDispute(tx, disputeId)
    if (dispute === null) return 'NOT_FOUND'
    const accounts = await lockAccounts(tx, [ownerId])
    const refused = await admit()
    if (refused !== null) return refused
    await write(tx, deps, dispute, accounts, {
      verdict: 'upheld',
      text: reason ?? '',
      correctionMinor: amountMinor,
      by: proposer.id,
      confirmer: { id: confirmer.userId, names: [proposer.username, confirmer.username] },
    })
    return null
  }

interface Written extends Answer {
  /** Id of the admin who wrote the sentence. */
  readonly by: string
  /** The admin who confirmed the correction, and the names of both admins; null if no second person was needed. */
  readonly confirmer: { readonly id: string; readonly names: readonly [proposer: string, confirmer: string] } | null
}

/** Locks a dispute. To avoid deadlocks, lock users before a dispute, and accounts and the conversation after it. */
async function lockDispute(tx: Tx, disputeId: string): Promise<LockedRow | null> {
  const { rows } = await tx.query<LockedRow>(
    `select d.id, d.bet_id, d.owner_id, d.conversation_id, d.status, d.generation, b.stake, r.index as round_index,
            r.type as round_type
       from disputes d join bets b on b.id = d.bet_id join rounds r on r.id = b.round_id
      where d.id = $1 for update of d`,
    [disputeId],
  )
  return rows[0] ?? null
}

async function write(
  tx: Tx,
  { hints, emitMessage, fourEyes }: Pick<DisputeDeps, 'hints' | 'emitMessage' | 'fourEyes'>,
  dispute: LockedRow,
  accounts: readonly LockedAccount[],
  { verdict, text, correctionMinor, by, confirmer }: Written,
): Promise<void> {
  const { id, owner_id: ownerId, conversation_id: conversationId } = dispute
  const actorId = confirmer?.id ?? by
  const nowMs = await readNowMs(tx)
  const seal = await readSeal(tx, dispute.bet_id)
  // If the log that contains the dispute's entry has ended, the answer gets no entry (rules §9.3).
  const betIndex = seal.is === 'sealed' && seal.generation === dispute.generation ? seal.index : null
  const { salt, c } = sealSentence(text)
  const { rowCount } = await tx.query(
    `update disputes set status = $2, answer = $3, answer_salt = $4, answered_by = $5, answered_at = $6, correction = $7
      where id = $1 and status = 'open'`,
    [id, verdict, text, salt, by, new Date(nowMs), correctionMinor],
  )
  if (rowCount === 0) throw new Error('A dispute was answered although its row was locked.')
  if (betIndex !== null)
    await queueEntries(tx, [{ kind: 'dispute', fields: { bet: betIndex, state: verdict, c }, atMs: nowMs }])
  if (correctionMinor !== null) {
    const why = `Khiếu nại phiên ${dispute.round_type} #${dispute.round_index + 1n}: ${text}`
    const note = confirmer === null ? why : noteOfBoth(why, ...confirmer.names)
    // The transfer's id is made from the dispute's, so that one dispute can book only one correction.
    const adjustment = adjustmentTransfer(`dispute:${id}`, ownerId, correctionMinor, actorId, note)
    await postTransfers(tx, [adjustment], nowMs, accounts)
    const reason = { text: note, ref: adjustment.id }
    await queueAct(tx, 'balance.adjust', actorId, { atMs: nowMs, amountMinor: correctionMinor, betIndex, reason })
  }
  await queuePush(tx, ownerId, correctionMinor === null ? 'care-replied' : 'points-adjusted')
  const clientId = `dispute:${id}:answer`
  const message = await storeServerMessage(tx, { conversationId, senderId: by, clientId, text, disputeId: id })
  if (confirmer === null) await overtakeProposal(tx, fourEyes, { disputeId: id }, { userId: by, isOwner: false })
  await recordAct(tx, actorId, verdict === 'upheld' ? 'dispute.uphold' : 'dispute.reject', `dispute:${id}`, {
    before: { dispute: 'opened' },
    after: {
      dispute: verdict,
      owner: ownerId,
      bet: dispute.bet_id,
      ...(correctionMinor === null ? {} : { amountMinor: String(correctionMinor) }),
    },
    reason: text,
  })
  const before = accounts.find(({ kind }) => kind === 'wallet')?.balanceMinor ?? 0n
  tx.afterCommit(() => {
    hints.disputeChanged(ownerId, id)
    hints.accountChanged(ownerId)
    if (correctionMinor !== null) hints.balanceChanged(ownerId, before + correctionMinor)
    emitMessage(message)
  })
}
