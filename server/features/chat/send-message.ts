import type { ClientRefusal } from '#contract/events.ts'
import { type ChatMessage, cleanText, decideSend, type ImageFacts } from '#domain/chat/conversation.ts'
import type { Capability, Role, Subject } from '#domain/identity/permissions.ts'
import { queuePush } from '#server/features/push/index.ts'
import { useUpload } from '#server/features/files/index.ts'
import type { Row, Tx } from '#server/platform/database/db.ts'
import { isRefused, type Refused, refuse } from '#server/platform/http/errors.ts'
import { newId } from '#server/platform/process/ids.ts'
import type { ClientSocket } from '#server/platform/sockets/socket-hub.ts'
import { openInTx } from './open-conversation.ts'
import type { ChatContext } from './ports.ts'
import { readSent } from './message-queries.ts'
import { insertMessage } from './store-message.ts'

export interface Sending {
  readonly conversationId: string | null
  /** Without a conversation id: the conversation with this user, created when none exists. */
  readonly receiverId: string | null
  readonly kind: 'text' | 'image'
  readonly content: string
  readonly clientMessageId: string
}

interface LockedRow extends Row {
  last_seq: number
  player_id: string
  holder_id: string
  role: Role
  capabilities: Capability[]
  is_frozen: boolean
  is_deleted: boolean
  is_sender_alive: boolean
}

/** The message was stored now, or was already stored under the same client id. */
type Outcome =
  | { readonly is: 'stored'; readonly messageId: string; readonly isFirst: boolean }
  | { readonly is: 'found' }

/**
 * Stores a message in one transaction: locks the conversation, checks the sender, takes the next seq, writes the
 * message and the outbox row. A repeat under the same client id is answered with the stored message and does not count
 * against the limit (rules §7). Every socket of both sides gets `receive_message` except the sending one, to which the
 * caller confirms the message.
 */
export async function sendMessage(
  context: ChatContext,
  { id: senderSocketId, subject: sender }: Pick<ClientSocket, 'id' | 'subject'>,
  sending: Sending,
): Promise<ChatMessage | Refused<ClientRefusal<'send_message'>>> {
  const { db, outbox, sendLimit } = context
  const { userId } = sender
  const waitS = await sendLimit.take(userId)
  if (waitS !== null) {
    const known = await readSent(db, userId, sending.clientMessageId)
    return known ?? refuse('SENDING_TOO_FAST', undefined, waitS)
  }
  const content = sending.kind === 'text' ? cleanText(sending.content) : sending.content
  const outcome =
    content === null ? refuse('MESSAGE_INVALID') : await db.tx((tx) => store(tx, sender, { ...sending, content }))
  if (isRefused(outcome)) return outcome
  const emitted = outcome.is === 'stored' ? await outbox.emit({ ...outcome, senderSocketId }) : null
  const message = emitted ?? (await readSent(db, userId, sending.clientMessageId))
  if (message === null) throw new Error('A stored message can’t be read')
  if (outcome.is === 'found') await sendLimit.giveBack(userId)
  return message
}

async function store(
  tx: Tx,
  sender: Subject,
  sending: Sending,
): Promise<Outcome | Refused<ClientRefusal<'send_message'>>> {
  const { userId, sessionId } = sender
  const { clientMessageId, kind, content } = sending
  let { conversationId } = sending
  let isNew = false
  if (conversationId === null) {
    if (sending.receiverId === null) return refuse('BAD_REQUEST')
    const opened = await openInTx(tx, userId, sending.receiverId)
    if (isRefused(opened)) {
      const isRepeat = await wasStored(tx, userId, clientMessageId)
      return isRepeat ? { is: 'found' } : opened
    }
    ;({ conversationId, isNew } = opened)
  }
  const [locked, isRepeat] = await Promise.all([
    tx.query<LockedRow>(
      // The user is joined after the row is locked. A join in the locking statement finds no row when the holder
      // changed during the wait for the lock.
      `with c as (select last_seq, player_id, holder_id from conversations where id = $1 for update)
       select c.last_seq, c.player_id, c.holder_id, h.role, h.capabilities, h.is_frozen, h.deleted_at is not null as is_deleted,
          exists (select from users u join sessions s on s.user_id = u.id
            where u.id = $2 and not u.is_frozen and u.deleted_at is null
              and s.id = $3 and s.ended_at is null and s.expires_at > clock_timestamp()) as is_sender_alive
         from c join users h on h.id = c.holder_id`,
      [conversationId, userId, sessionId],
      { name: 'chat-lock-conversation' },
    ),
    // This statement follows the lock, so it sees messages stored during the wait.
    wasStored(tx, userId, clientMessageId),
  ])
  if (isRepeat) return { is: 'found' }
  const row = locked.rows[0]
  if (row === undefined) return refuse('CONVERSATION_NOT_FOUND')
  if (!row.is_sender_alive) return refuse('UNAUTHORIZED')
  const refusal = decideSend(userId, {
    playerId: row.player_id,
    holder: {
      id: row.holder_id,
      role: row.role,
      capabilities: row.capabilities,
      isFrozen: row.is_frozen,
      isDeleted: row.is_deleted,
    },
  })
  if (refusal !== null) return refuse(refusal)
  const image: ImageFacts | null = kind === 'image' ? await useUpload(tx, userId, content) : null
  if (kind === 'image' && image === null) return refuse('IMAGE_NOT_YOURS')
  const messageId = newId()
  const isFirst = isNew || row.last_seq === 0
  const isStored = await insertMessage(tx, {
    conversationId,
    seq: row.last_seq + 1,
    messageId,
    senderId: userId,
    clientMessageId,
    kind,
    content,
    image,
    disputeId: null,
    isFirst,
  })
  if (isStored && userId !== row.player_id) await queuePush(tx, row.player_id, 'care-replied')
  // The same id was stored in another conversation at the same time.
  return isStored ? { is: 'stored', messageId, isFirst } : { is: 'found' }
}

const wasStored = async (tx: Tx, senderId: string, clientMessageId: string): Promise<boolean> =>
  (
    await tx.query(`select 1 from messages where sender_id = $1 and client_id = $2`, [senderId, clientMessageId], {
      name: 'chat-is-stored',
    })
  ).rowCount > 0
