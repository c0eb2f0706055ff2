import type { Missed } from '#contract/chat.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import type { Queryable } from '#server/platform/database/db.ts'
import { listChanged, listMissed } from './message-queries.ts'
import { listKnownAndNew } from './queries.ts'

/** Limits of one answer. If messages are left out, `hasMore` is true. */
const MESSAGES_AT_MOST = 1_000
const PER_CONVERSATION = 200
const NEW_AT_MOST = 100

/**
 * Returns, for the conversations in `known`, the messages after `afterSeq`, changes of earlier messages, and read
 * markers (rules §7.2). The answer also has the user's other latest conversations and, for staff, the queue's waiting
 * conversations. `gone` has the ids of `known` whose conversations are not in the answer.
 */
export async function readMissed(
  db: Queryable,
  subject: Pick<Subject, 'userId' | 'role'>,
  known: ReadonlyArray<{ readonly conversationId: string; readonly afterSeq: number }>,
): Promise<Missed> {
  const { userId } = subject
  const afterSeqs = new Map(known.map(({ conversationId, afterSeq }) => [conversationId, afterSeq]))
  const listed = await listKnownAndNew(db, subject, [...afterSeqs.keys()], NEW_AT_MOST)
  const behind = listed.known.flatMap((conversation) => {
    const afterSeq = Math.max(afterSeqs.get(conversation.id) ?? 0, conversation.hiddenThroughSeq)
    return conversation.lastSeq > afterSeq
      ? [{ conversationId: conversation.id, afterSeq, lastSeq: conversation.lastSeq }]
      : []
  })
  const [messages, changed] = await Promise.all([
    behind.length === 0 ? [] : listMissed(db, behind, PER_CONVERSATION, MESSAGES_AT_MOST),
    listChanged(
      db,
      listed.known.map(({ id, hiddenThroughSeq }) => ({
        conversationId: id,
        afterSeq: afterSeqs.get(id) ?? 0,
        hiddenThroughSeq,
      })),
    ),
  ])
  const reached = new Map(behind.map(({ conversationId, afterSeq }) => [conversationId, afterSeq]))
  for (const { conversationId, seq } of messages) reached.set(conversationId, seq)
  const isListed = new Set(listed.known.map(({ id }) => id))
  return {
    conversations: [...listed.known, ...listed.fresh],
    messages,
    changed,
    markers: listed.known.flatMap(({ id, participants, readSeq, peerReadSeq }) => [
      { conversationId: id, userId, readSeq },
      {
        conversationId: id,
        userId: participants.find((one) => one.id !== userId)?.id ?? userId,
        readSeq: peerReadSeq,
      },
    ]),
    gone: [...afterSeqs.keys()].filter((id) => !isListed.has(id)),
    hasMore: behind.some(({ conversationId, lastSeq }) => (reached.get(conversationId) ?? 0) < lastSeq),
  }
}
