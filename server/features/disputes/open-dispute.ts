import type { Dispute } from '#contract/disputes.ts'
import { cleanSentence, decideOpening, DISPUTES_PER_DAY } from '#domain/disputes/dispute.ts'
import type { BetStatus } from '#domain/game/bet.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { recordAct } from '#server/features/audit/index.ts'
import { queueEntries } from '#server/features/book/index.ts'
import { openCareConversation, storeServerMessage } from '#server/features/chat/index.ts'
import { acting } from '#server/platform/http/acting.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { type RefusedBy, refuse, refuseUntil } from '#server/platform/http/errors.ts'
import { newId } from '#server/platform/process/ids.ts'
import { readNowMs } from '#server/platform/database/now.ts'
import { readSeal } from './bet-seal.ts'
import type { DisputeDeps } from './ports.ts'
import { readDispute, readDisputeOfBet } from './queries.ts'
import { sealSentence } from './sealed-sentence.ts'

const DAY_MS = 86_400_000

/** Opens a dispute and sends it to customer care as a message (rules §9.1). A repeat returns the existing dispute. */
export async function openDispute(
  { db, hints, emitMessage }: Omit<DisputeDeps, 'ledger'>,
  subject: Subject,
  betId: string,
  sentence: string,
): Promise<Dispute | RefusedBy<'openDispute'>> {
  const text = cleanSentence(sentence)
  return acting(db, subject, 'player', async (tx, owner) => {
    const { rows } = await tx.query<{ status: BetStatus; settled_at: Date | null }>(
      `select status, settled_at from bets where id = $1 and user_id = $2`,
      [betId, owner.userId],
    )
    const bet = rows[0]
    if (bet === undefined) return refuse('NOT_FOUND')
    const existing = await readDisputeOfBet(tx, betId)
    if (existing !== null && existing.text === text) return existing
    const nowMs = await readNowMs(tx)
    const opened = await readOpenedLastDay(tx, owner.userId, nowMs)
    const asked = {
      isStaff: owner.role === 'admin',
      text,
      betStatus: bet.status,
      settledAtMs: bet.settled_at?.getTime() ?? null,
      nowMs,
      isDisputed: existing !== null,
      openedLastDay: opened.length,
    }
    // Judged without the seal first: `readSeal` locks the log's tip, and refused calls must not hold up the sealing.
    const refusal = decideOpening({ ...asked, seal: 'none' })
    if (refusal === 'TOO_MANY_DISPUTES') return refuseMore(opened, nowMs)
    if (refusal !== null) return refuse(refusal)
    const seal = await readSeal(tx, betId)
    const refusedBySeal = decideOpening({ ...asked, seal: seal.is })
    if (refusedBySeal !== null) return refuse(refusedBySeal)
    const stored = await store(tx, { owner, betId, text: text ?? '', nowMs, place: seal.is === 'sealed' ? seal : null })
    tx.afterCommit(() => {
      hints.disputeChanged(owner.userId, stored.disputeId)
      emitMessage(stored.message)
    })
    const dispute = await readDispute(tx, stored.disputeId)
    if (dispute === null) throw new Error('A dispute was written and can’t be read')
    return dispute
  })
}

async function store(
  tx: Tx,
  of: {
    readonly owner: Subject
    readonly betId: string
    readonly text: string
    readonly nowMs: number
    readonly place: { readonly generation: number; readonly index: number } | null
  },
) {
  const { owner, betId, text, nowMs, place } = of
  const conversation = await openCareConversation(tx, owner.userId)
  const { conversationId } = conversation
  const disputeId = newId()
  const { salt, c } = sealSentence(text)
  await tx.query(
    `insert into disputes (id, bet_id, owner_id, conversation_id, text, salt, opened_at, generation, bet_index)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      disputeId,
      betId,
      owner.userId,
      conversationId,
      text,
      salt,
      new Date(nowMs),
      place?.generation ?? null,
      place === null ? null : BigInt(place.index),
    ],
  )
  const clientId = `dispute:${disputeId}`
  const message = await storeServerMessage(tx, { conversationId, senderId: owner.userId, clientId, text, disputeId })
  if (place !== null)
    await queueEntries(tx, [{ kind: 'dispute', fields: { bet: place.index, state: 'opened', c }, atMs: nowMs }])
  await recordAct(tx, owner.userId, 'dispute.open', `dispute:${disputeId}`, {
    after: { dispute: 'opened', bet: betId },
    reason: text,
  })
  return { disputeId, message: { ...message, isFirst: message.isFirst || conversation.isNew } }
}

/** Returns when the owner opened disputes in the last 24 hours, Unix ms, newest first; `DISPUTES_PER_DAY` at most. */
async function readOpenedLastDay(tx: Tx, ownerId: string, nowMs: number): Promise<number[]> {
  const { rows } = await tx.query<{ opened_at: Date }>(
    `select opened_at from disputes where owner_id = $1 and opened_at > $2 order by opened_at desc, id desc limit $3`,
    [ownerId, new Date(nowMs - DAY_MS), DISPUTES_PER_DAY],
  )
  return rows.map(({ opened_at: at }) => at.getTime())
}

function refuseMore(opened: readonly number[], nowMs: number): RefusedBy<'openDispute'> {
  const untilMs = (opened.at(-1) ?? nowMs) + DAY_MS
  return refuseUntil('TOO_MANY_DISPUTES', untilMs, Math.max(1, Math.ceil((untilMs - nowMs) / 1000)))
}
