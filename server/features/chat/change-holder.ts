import { CARE_DESK, cleanText, type Conversation, decideHolderChange } from '#domain/chat/conversation.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { recordAct } from '#server/features/audit/index.ts'
import { lockSubject } from '#server/platform/http/auth.ts'
import { isRefused, type RefusedBy, refuse } from '#server/platform/http/errors.ts'
import { retrying } from '#server/platform/process/retrying.ts'
import { newId } from '#server/platform/process/ids.ts'
import { giveConversation, isTwice, lockHeld } from './give-conversation.ts'
import { emitNote, writeNote } from './notes.ts'
import type { ChatContext } from './ports.ts'
import { readAccount, readConversation } from './queries.ts'
import { emitHolderChange } from './rooms.ts'

/**
 * Claims a conversation, or hands it over to a colleague or back to the queue (`CARE_DESK`). Refuses if `fromId`, whom
 * the actor saw as holder, no longer holds the conversation (rules §7.1).
 * @param note text of a note, stored in the same transaction, which mentions the new holder if that is a colleague
 */
export async function changeHolder(
  { db, hub, queue }: Pick<ChatContext, 'db' | 'hub' | 'queue'>,
  subject: Subject,
  conversationId: string,
  fromId: string,
  toId: string,
  note?: string,
): Promise<Conversation | RefusedBy<'changeHolder'>> {
  const newHolderId = toId === CARE_DESK.id ? null : toId
  const content = note === undefined ? undefined : cleanText(note)
  if (content === null) return refuse('CHAT_NOTE_INVALID')
  const changed = await retrying(db, async (tx) => {
    const actor = await lockSubject(tx, subject, 'staff:care', [toId])
    if (isRefused(actor)) return actor
    const row = await lockHeld(tx, conversationId)
    if (row === undefined) return refuse('CONVERSATION_NOT_FOUND')
    const holderId = row.holder_id ?? CARE_DESK.id
    // The actor holds the conversation already, as when a claim is repeated because its answer was lost.
    if (holderId === toId && toId === subject.userId) return { row, isChanged: false }
    const next = toId === CARE_DESK.id ? CARE_DESK : await readAccount(tx, toId)
    const refusal = decideHolderChange(subject.userId, { holderId, playerId: row.player_id }, fromId, next)
    if (refusal !== null) return refuse(refusal, refusal === 'HOLDER_CHANGED' ? { holder: row.holder_name } : undefined)
    if (holderId === toId) return { row, isChanged: false }
    if (!(await giveConversation(tx, conversationId, newHolderId))) return refuse('HOLDER_HAS_ONE')
    const act = toId === subject.userId ? 'chat.claim' : 'chat.hand-over'
    await recordAct(tx, subject.userId, act, `conversation:${conversationId}`, {
      before: { holder: row.holder_id },
      after: { holder: newHolderId },
    })
    if (content !== undefined)
      await writeNote(tx, { noteId: newId(), conversationId, authorId: subject.userId, content, alsoTo: newHolderId })
    return { row, isChanged: true }
  }).catch((error: unknown) => {
    if (isTwice(error)) return refuse('HOLDER_HAS_ONE')
    throw error
  })
  if (isRefused(changed)) return changed
  const { row, isChanged } = changed
  queue.noteAct(subject.userId)
  if (isChanged) {
    if (content !== undefined) emitNote({ hub }, conversationId)
    await emitHolderChange({ db, hub }, conversationId, row.holder_id, {
      playerId: row.player_id,
      holderId: newHolderId,
    })
    if (row.holder_id !== null) queue.assign()
  }
  return (await readConversation(db, conversationId, subject.userId)) ?? refuse('CONVERSATION_NOT_FOUND')
}
