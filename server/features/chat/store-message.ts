import { type ImageFacts, type MessageKind, searchKey } from '#domain/chat/conversation.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { isRefused, type Refused, refuse } from '#server/platform/http/errors.ts'
import { newId } from '#server/platform/process/ids.ts'
import { type Opened, openInTx } from './open-conversation.ts'
import { canHoldSql, listChatUsers } from './queries.ts'

interface NewMessage {
  readonly conversationId: string
  /** The next one, taken under the conversation's lock. */
  readonly seq: number
  readonly messageId: string
  readonly senderId: string
  readonly clientMessageId: string
  readonly kind: MessageKind
  readonly content: string
  readonly image: ImageFacts | null
  readonly disputeId: string | null
  readonly isFirst: boolean
}

/**
 * Writes a message, its conversation's activity, whether it waits for an answer, and its outbox row in one statement.
 * False when this sender has stored a message under this client id before.
 */
export async function insertMessage(tx: Tx, message: NewMessage): Promise<boolean> {
  const { kind, content, image } = message
  const { rowCount } = await tx.query(
    `with stored as (
       insert into messages (conversation_id, seq, id, sender_id, client_id, kind, content, search_key,
           image_width, image_height, image_thumbhash, dispute_id)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $13)
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
        where w.conversation_id = $1 and c.id = $1 and c.player_id <> $4)
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
      message.disputeId,
    ],
    { name: 'chat-store-message' },
  )
  return rowCount > 0
}

/**
 * The conversation for a player's case: the latest one whose admin still answers, else a new one with an admin who can,
 * those who are online first. HOLDER_GONE where no admin can.
 */
export async function openCareConversation(tx: Tx, playerId: string): Promise<Opened | Refused<'HOLDER_GONE'>> {
  const { rows } = await tx.query<{ id: string }>(
    `select c.id from conversations c join users h on h.id = c.holder_id
      where c.player_id = $1 and ${canHoldSql('h')}
      order by c.last_activity desc, c.id desc limit 1`,
    [playerId],
  )
  const latest = rows[0]
  if (latest !== undefined) return { conversationId: latest.id, isNew: false }
  const [admin] = await listChatUsers(tx, playerId)
  const opened = admin === undefined ? null : await openInTx(tx, playerId, admin.id)
  return opened === null || isRefused(opened) ? refuse('HOLDER_GONE') : opened
}

/**
 * Stores a text that the server writes for somebody's act, such as a dispute and its answer (rules §9), in the act's own
 * transaction. The sender need not hold the conversation. Locks the conversation: users and accounts are locked before.
 */
export async function storeServerMessage(
  tx: Tx,
  of: {
    readonly conversationId: string
    readonly senderId: string
    /** Unique among the sender's messages, so that an act is told once. */
    readonly clientId: string
    readonly text: string
    readonly disputeId: string
  },
): Promise<{ readonly messageId: string; readonly isFirst: boolean }> {
  const { conversationId, senderId, clientId, text, disputeId } = of
  const { rows } = await tx.query<{ last_seq: number }>(`select last_seq from conversations where id = $1 for update`, [
    conversationId,
  ])
  const lastSeq = rows[0]?.last_seq
  if (lastSeq === undefined) throw new Error('The conversation of a dispute is gone')
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
    image: null,
    disputeId,
    isFirst,
  })
  if (!isStored) throw new Error('A dispute was told twice')
  return { messageId, isFirst }
}
