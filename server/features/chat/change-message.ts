import { FILES_PATH } from '#contract/files.ts'
import { CHANGE_WITHIN_MS, isChangeable } from '#domain/chat/change.ts'
import type { ChatMessage } from '#domain/chat/conversation.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { recordAct } from '#server/features/audit/index.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { acting } from '#server/platform/http/acting.ts'
import { isRefused, type RefusedBy, refuse } from '#server/platform/http/errors.ts'
import { newId } from '#server/platform/process/ids.ts'
import { type MessageRow, MESSAGES, readSent, takesPart, toMessage } from './message-queries.ts'
import type { ChatContext } from './ports.ts'
import { searchKey } from '#domain/search-text.ts'

/**
 * Edits or retracts the sender's own message (rules §7.15). A repeated call changes nothing. The statement that writes
 * the change checks the message's age, because the wait for the message's lock takes time.
 * @param content the new text, cleaned by `cleanText`; null retracts the message
 */
export async function changeMessage(
  { db, outbox, sendLimit }: ChatContext,
  subject: Subject,
  messageId: string,
  content: string | null,
): Promise<ChatMessage | RefusedBy<'retractMessage'>> {
  const { userId } = subject
  const waitS = await sendLimit.take(userId)
  if (waitS !== null) return refuse('SENDING_TOO_FAST', undefined, waitS)
  const access = { access: 'player', asStaff: 'staff:care' } as const
  const outcome = await acting(db, subject, access, (tx, sender) => change(tx, sender, messageId, content))
  if (isRefused(outcome)) return outcome
  const { before, changeId } = outcome
  if (changeId === null) return before
  const changed =
    (await outbox.emit({ messageId: changeId, isFirst: false, senderSocketId: null })) ??
    (await readSent(db, userId, before.clientMessageId))
  if (changed === null) throw new Error('A changed message can’t be read')
  return changed
}

async function change(
  tx: Tx,
  sender: Subject,
  messageId: string,
  content: string | null,
): Promise<{ before: ChatMessage; changeId: string | null } | RefusedBy<'retractMessage'>> {
  await tx.query(`select 1 from messages where id = $1 for update`, [messageId])
  // This read comes after the lock, so it sees a change that was written during the wait for the lock.
  const { rows } = await tx.query<MessageRow>(
    `${MESSAGES} join conversations c on c.id = m.conversation_id
      where m.id = $1 and m.sender_id = $2 and ${takesPart('$2', '$3')}`,
    [messageId, sender.userId, sender.role === 'admin'],
  )
  if (rows[0] === undefined) return refuse('MESSAGE_NOT_FOUND')
  const before = toMessage(rows[0])
  const isDone = content === null ? before.isRetracted === true : before.kind === 'text' && before.content === content
  if (isDone) return { before, changeId: null }
  if (!isChangeable(before, content === null ? 'retract' : 'edit')) return refuse('MESSAGE_FIXED')
  const changeId = newId()
  // Clients keep the version with the later time in ms, so a change gets a time at least 1 ms after the last version's.
  const written = await tx.query(
    `with changed as (
       insert into message_changes as x (message_id, id, conversation_id, content, search_key, changed_at)
       select m.id, $2, m.conversation_id, $3, $4, greatest(clock_timestamp(), m.sent_at + interval '1 ms')
         from messages m where m.id = $1 and clock_timestamp() < m.sent_at + $5 * interval '1 ms'
       on conflict (message_id) do update set id = excluded.id, content = excluded.content,
         search_key = excluded.search_key, changed_at = greatest(excluded.changed_at, x.changed_at + interval '1 ms')
       returning id)
     insert into chat_outbox (message_id, is_first) select id, false from changed`,
    [messageId, changeId, content, content === null ? '' : searchKey(content), CHANGE_WITHIN_MS],
  )
  if (written.rowCount === 0) return refuse('MESSAGE_TOO_OLD')
  if (content === null)
    await recordAct(tx, sender.userId, 'chat.retract', `conversation:${before.conversationId}`, {
      before: whatWasSaid(before),
    })
  return { before, changeId }
}

function whatWasSaid({ kind, content, file }: ChatMessage): Readonly<Record<string, string>> {
  if (file !== undefined) return { message: content, file: file.url.slice(FILES_PATH.length) }
  return kind === 'image' ? { image: content.slice(FILES_PATH.length) } : { message: content }
}
