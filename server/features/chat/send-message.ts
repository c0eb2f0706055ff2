import type { ClientEvent, ClientRefusal } from '#contract/events.ts'
import { type ChatAccount, type ChatMessage, cleanText, decideSend } from '#domain/chat/conversation.ts'
import { fileText } from '#domain/chat/file.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { queuePush } from '#server/features/push/index.ts'
import { useUpload } from '#server/features/files/index.ts'
import type { Row, Tx } from '#server/platform/database/db.ts'
import { isRefused, type Refused, refuse } from '#server/platform/http/errors.ts'
import { newId } from '#server/platform/process/ids.ts'
import type { ClientSocket } from '#server/platform/sockets/socket-hub.ts'
import { recordAct } from '#server/features/audit/index.ts'
import { lockSubject } from '#server/platform/http/auth.ts'
import { giveConversation, isTwice, refuseNaming } from './give-conversation.ts'
import { following } from './merged.ts'
import { openInTx } from './open-conversation.ts'
import type { ChatContext } from './ports.ts'
import { readSent } from './message-queries.ts'
import { emitHolderChange } from './rooms.ts'
import { insertMessage } from './store-message.ts'

type Sending = ClientEvent<'send_message'>

interface LockedRow extends Row {
  last_seq: number
  player_id: string
  holder: (ChatAccount & { readonly username: string }) | null
  is_sender_alive: boolean
}

type Outcome =
  | {
      readonly is: 'stored'
      readonly messageId: string
      readonly isFirst: boolean
      readonly claimedOf: { readonly conversationId: string; readonly playerId: string } | null
    }
  | { readonly is: 'found' }
  /**
   * Nothing was stored: the sender is staff, and nobody holds the conversation. A claim locks the sender's row before
   * the conversation's, so `store` has to run again, with `isClaim`.
   */
  | { readonly is: 'unheld' }

type Answer = Outcome | Refused<ClientRefusal<'send_message'>>

/**
 * Stores a message and, after the commit, emits it to the sockets of both sides except the sending socket. A repeat
 * with the same client id returns the stored message and does not count against the rate limit (rules §7.2). Staff who
 * write in a conversation that nobody holds claim that conversation in the same transaction (rules §7.13).
 */
export async function sendMessage(
  context: ChatContext,
  { id: senderSocketId, subject: sender }: Pick<ClientSocket, 'id' | 'subject'>,
  sending: Sending,
): Promise<ChatMessage | Refused<ClientRefusal<'send_message'>>> {
  const { db, hub, outbox, queue, sendLimit } = context
  const { userId } = sender
  if (sender.role === 'admin') queue.noteAct(userId)
  const waitS = await sendLimit.take(userId)
  if (waitS !== null) {
    const known = await readSent(db, userId, sending.clientMessageId)
    return known ?? refuse('SENDING_TOO_FAST', undefined, waitS)
  }
  const content = sending.kind === 'text' ? cleanText(sending.content) : sending.content
  if (content === null) return refuse('MESSAGE_INVALID')
  const into = (conversationId: string | null, isClaim: boolean): Promise<Answer> =>
    db
      .tx(async (tx) => {
        const answer = await store(tx, sender, { ...sending, conversationId, content }, isClaim)
        if (isRefused(answer) || answer.is !== 'stored') throw new NotStored(answer)
        return answer
      })
      .catch((error: unknown) => {
        if (error instanceof NotStored) return error.answer
        if (isTwice(error)) return refuse('HOLDER_HAS_ONE')
        throw error
      })
  const storing = async (isClaim: boolean) => {
    const { conversationId = null } = sending
    if (conversationId !== null) return following(db, conversationId, (id) => into(id, isClaim))
    const answer = await into(null, isClaim)
    // CONVERSATION_NOT_FOUND: the conversation was merged after it was found. A second attempt finds or opens another.
    return isRefused(answer) && answer.code === 'CONVERSATION_NOT_FOUND' ? into(null, isClaim) : answer
  }
  const first = await storing(false)
  const outcome = !isRefused(first) && first.is === 'unheld' ? await storing(true) : first
  if (isRefused(outcome)) return outcome
  if (outcome.is === 'unheld') throw new Error('A message was neither stored nor refused')
  if (outcome.is === 'stored' && outcome.claimedOf !== null) {
    const { conversationId, playerId } = outcome.claimedOf
    await emitHolderChange({ db, hub }, conversationId, null, { playerId, holderId: userId })
  }
  const emitted = outcome.is === 'stored' ? await outbox.emit({ ...outcome, senderSocketId }) : null
  const message = emitted ?? (await readSent(db, userId, sending.clientMessageId))
  if (message === null) throw new Error('A stored message can’t be read')
  if (outcome.is === 'found') await sendLimit.giveBack(userId)
  return message
}

async function store(tx: Tx, sender: Subject, sending: Sending, isClaim: boolean): Promise<Answer> {
  const { userId } = sender
  const { clientMessageId, kind, content } = sending
  if (isClaim) {
    const claimer = await lockSubject(tx, sender, 'staff:care')
    if (isRefused(claimer)) return claimer
  }
  const opened = await findOrOpen(tx, userId, sending)
  if (isRefused(opened)) return (await wasStored(tx, userId, clientMessageId)) ? { is: 'found' } : opened
  const { conversationId, isNew } = opened
  const [row, isRepeat] = await Promise.all([
    lockForSending(tx, sender, conversationId),
    // A transaction runs its statements in order, so `wasStored` sees messages stored during the wait for the lock.
    wasStored(tx, userId, clientMessageId),
  ])
  if (isRepeat) return { is: 'found' }
  if (row === undefined) return refuse('CONVERSATION_NOT_FOUND')
  if (!row.is_sender_alive) return refuse('UNAUTHORIZED')
  const { player_id: playerId, holder } = row
  const refusal = decideSend({ id: userId, role: sender.role }, { playerId, holder })
  if (refusal === 'HOLDER_CHANGED') return refuseNaming(refusal, holder?.username)
  if (refusal !== null) return refuse(refusal)
  const claims = holder === null && userId !== playerId
  if (claims && !isClaim) return { is: 'unheld' }
  const quotedSeq = await seqOfQuoted(tx, conversationId, sending.quotedMessageId ?? null)
  if (isRefused(quotedSeq)) return quotedSeq
  const upload = kind === 'text' ? { image: null, file: null } : await useUpload(tx, userId, kind, content)
  if (upload === null) return refuse('IMAGE_NOT_YOURS')
  const { image, file } = upload
  if (claims && !(await giveConversation(tx, conversationId, userId))) return refuse('HOLDER_HAS_ONE')
  const messageId = newId()
  const isFirst = isNew || row.last_seq === 0
  const isStored = await insertMessage(tx, {
    conversationId,
    seq: row.last_seq + 1,
    messageId,
    senderId: userId,
    clientMessageId,
    ...(file === null
      ? { kind: image === null ? 'text' : 'image', content }
      : { kind: 'text', content: fileText(file.name) }),
    image,
    fileKey: file?.key ?? null,
    quotedSeq,
    isFirst,
  })
  // If nothing was stored, another transaction stored the same client id in another conversation at the same time.
  if (!isStored) return { is: 'found' }
  if (userId !== playerId) await queuePush(tx, playerId, 'care-replied')
  if (claims)
    await recordAct(tx, userId, 'chat.claim', `conversation:${conversationId}`, {
      before: { holder: null },
      after: { holder: userId },
    })
  return { is: 'stored', messageId, isFirst, claimedOf: claims ? { conversationId, playerId } : null }
}

/**
 * Thrown to roll back the transaction of a message that is not stored. That transaction may have opened or claimed a
 * conversation, or marked an upload as used.
 */
class NotStored extends Error {
  readonly answer: Answer

  constructor(answer: Answer) {
    super('Nothing was stored')
    this.answer = answer
  }
}

/** Returns the conversation that the message names, else finds or opens the conversation with its receiver. */
async function findOrOpen(tx: Tx, userId: string, { conversationId, receiverId }: Sending) {
  if (conversationId != null) return { conversationId, isNew: false }
  return receiverId == null ? refuse('BAD_REQUEST') : openInTx(tx, userId, receiverId)
}

async function lockForSending(tx: Tx, { userId, sessionId }: Subject, conversationId: string) {
  const { rows } = await tx.query<LockedRow>(
    // The holder is joined outside of `c`, after the row is locked; `lockHeld` says why.
    `with c as (select last_seq, player_id, holder_id from conversations where id = $1 for update)
     select c.last_seq, c.player_id, case when h.id is not null then json_build_object('id', h.id, 'username', h.username,
          'role', h.role, 'capabilities', h.capabilities, 'isFrozen', h.is_frozen, 'isDeleted', h.deleted_at is not null) end as holder,
        exists (select from users u join sessions s on s.user_id = u.id
          where u.id = $2 and not u.is_frozen and u.deleted_at is null
            and s.id = $3 and s.ended_at is null and s.expires_at > clock_timestamp()) as is_sender_alive
       from c left join users h on h.id = c.holder_id`,
    [conversationId, userId, sessionId],
    { name: 'chat-lock-conversation' },
  )
  return rows[0]
}

async function seqOfQuoted(tx: Tx, conversationId: string, id: string | null) {
  if (id === null) return null
  const { rows } = await tx.query<{ seq: number }>(`select seq from messages where id = $1 and conversation_id = $2`, [
    id,
    conversationId,
  ])
  return rows[0]?.seq ?? refuse('MESSAGE_NOT_FOUND')
}

async function wasStored(tx: Tx, senderId: string, clientMessageId: string): Promise<boolean> {
  const text = `select 1 from messages where sender_id = $1 and client_id = $2`
  return (await tx.query(text, [senderId, clientMessageId], { name: 'chat-is-stored' })).rowCount > 0
}
