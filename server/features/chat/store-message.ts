import { topicOf } from '#domain/chat/case.ts'
import type { ImageFacts, MessageKind } from '#domain/chat/conversation.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { isRefused, refuse } from '#server/platform/http/errors.ts'
import { newId } from '#server/platform/process/ids.ts'
import { following } from './merged.ts'
import { lastCaseOf } from './queries.ts'
import { searchKey } from '#domain/search-text.ts'

interface NewMessage {
  readonly conversationId: string
  /** The seq after the conversation's last one, read while the conversation is locked. */
  readonly seq: number
  readonly messageId: string
  readonly senderId: string
  readonly clientMessageId: string
  readonly kind: MessageKind
  readonly content: string
  readonly image?: ImageFacts | null
  /** Storage key of a PDF. The message's kind is then `text` (rules §7.7). */
  readonly fileKey?: string | null
  readonly disputeId?: string
  readonly quotedSeq?: number | null
  readonly isFirst: boolean
}

/**
 * Writes a message and its outbox row, and updates its conversation, the wait for an answer and the case (rules §7.16).
 * The caller has locked the conversation, so that this statement sees the conversation's last case. Returns false if
 * the sender has already stored a message with this client id.
 */
export async function insertMessage(tx: Tx, message: NewMessage): Promise<boolean> {
  const { kind, content, image } = message
  const { rowCount } = await tx.query(
    `with stored as (
       insert into messages (conversation_id, seq, id, sender_id, client_id, kind, content, search_key,
           image_width, image_height, image_thumbhash, dispute_id, quoted_seq, file_key)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $13, $14, $16)
       on conflict on constraint one_message_of_a_client_id do nothing returning sent_at),
     bumped as (
       update conversations c set last_seq = $2, last_activity = sent_at, updated_at = sent_at,
              state = case when c.player_id = $4 then 'open' else c.state end,
              snoozed_until = case when c.player_id = $4 then null else c.snoozed_until end
         from stored where c.id = $1),
     waits as (
       insert into conversations_waiting (conversation_id, since) select c.id, sent_at from stored, conversations c
        where c.id = $1 and c.player_id = $4 on conflict (conversation_id) do nothing),
     answered as (
       delete from conversations_waiting w using stored, conversations c
        where w.conversation_id = $1 and c.id = $1 and c.player_id <> $4),
     last_case as (${lastCaseOf('$1', 'id, done_at')}),
     begun as (
       insert into care_cases (id, conversation_id, player_id, topic, opened_at)
       select $3, c.id, c.player_id, $15, sent_at from stored, conversations c
        where c.id = $1 and c.player_id = $4 and not exists (select from last_case where done_at is null)),
     gone_on as (
       update care_cases k set
           topic = case when k.done_at is null and k.player_id = $4 then coalesce(k.topic, $15) else k.topic end,
           first_reply_at = case when k.player_id <> $4 then sent_at else k.first_reply_at end,
           first_reply_by = case when k.player_id <> $4 then $4 else k.first_reply_by end,
           is_reopened = k.done_at is not null
         from stored, last_case
        where k.id = last_case.id and case
            when k.done_at is not null then k.player_id = $4 and k.done_at > sent_at - interval '24 hours'
            when k.player_id = $4 then k.topic is null and $15 is not null
            else k.first_reply_at is null end)
     insert into chat_outbox (message_id, is_first) select $3, $12 from stored`,
    [
      message.conversationId,
      message.seq,
      message.messageId,
      message.senderId,
      message.clientMessageId,
      kind,
      content,
      kind === 'text' ? searchKey(content) : '',
      image?.width ?? null,
      image?.height ?? null,
      image?.thumbhash ?? null,
      message.isFirst,
      message.disputeId ?? null,
      message.quotedSeq ?? null,
      topicOf(message),
      message.fileKey ?? null,
    ],
    { name: 'chat-store-message' },
  )
  return rowCount > 0
}

/**
 * Stores the message by which a dispute is opened or answered, in the transaction that opens or answers it (rules §9).
 * Locks the conversation, so the caller must lock users and accounts before. The sender need not be the player or the
 * holder.
 */
export async function storeServerMessage(
  tx: Tx,
  of: {
    readonly conversationId: string
    readonly senderId: string
    /** Unique among the sender's messages, so that a second message for the same opening or answer fails. */
    readonly clientId: string
    readonly text: string
    readonly disputeId: string
  },
): Promise<{ readonly messageId: string; readonly isFirst: boolean }> {
  const { senderId, clientId, text, disputeId } = of
  const locked = await following(tx, of.conversationId, async (id) => {
    const { rows } = await tx.query<{ id: string; last_seq: number }>(
      `select id, last_seq from conversations where id = $1 for update`,
      [id],
    )
    return rows[0] ?? refuse('CONVERSATION_NOT_FOUND')
  })
  if (isRefused(locked)) throw new Error('The conversation of a dispute is gone')
  const { id: conversationId, last_seq: lastSeq } = locked
  const messageId = newId()
  const isFirst = lastSeq === 0
  const isStored = await insertMessage(tx, {
    conversationId,
    seq: lastSeq + 1,
    messageId,
    senderId,
    clientMessageId: clientId,
    kind: 'text',
    content: text,
    disputeId,
    isFirst,
  })
  if (!isStored) throw new Error('A dispute was told twice')
  return { messageId, isFirst }
}
