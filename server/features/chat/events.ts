import { clientMessageIdOf } from '#contract/events.ts'
import { isRefused, refuse } from '#server/platform/errors.ts'
import { markRead } from './mark-read.ts'
import { openConversation } from './open-conversation.ts'
import type { ChatContext } from './ports.ts'
import { readStanding } from './queries.ts'
import { sendMessage } from './send-message.ts'
import { createTyping } from './typing.ts'

const CHAT_EVENTS: ReadonlySet<string> = new Set([
  'join_room',
  'leave_room',
  'send_message',
  'create_conversation',
  'typing_start',
  'typing_stop',
  'mark_as_read',
])

/**
 * Chat events from clients (spec §7). Everything is emitted to the user rooms of the two participants, never to a room
 * that a client names, so nobody else can listen. Joining a conversation only answers its highest seq.
 */
export function registerChatEvents(context: ChatContext): void {
  const { db, hub } = context
  const typing = createTyping(hub)
  /** The highest seq that was delivered to each socket, by socket and conversation. */
  const delivered = new Map<string, Map<string, number>>()
  const noteDelivered = (socketId: string, { conversationId, seq }: { conversationId: string; seq: number }): void => {
    const own = delivered.get(socketId) ?? new Map<string, number>()
    delivered.set(socketId, own)
    if (seq > (own.get(conversationId) ?? 0)) own.set(conversationId, seq)
  }

  hub.watch({
    told(socket, name, payload) {
      if (name === 'receive_message') noteDelivered(socket.id, payload as { conversationId: string; seq: number })
    },
    closed(socket) {
      delivered.delete(socket.id)
      typing.stopAll(socket.id)
    },
    refused(socket, name, payload, { code, message, retryAfterS }) {
      if (!CHAT_EVENTS.has(name)) return
      const clientMessageId = clientMessageIdOf(payload)
      socket.tell('error', {
        code,
        message,
        event: name,
        ...(clientMessageId === null ? {} : { clientMessageId }),
        ...(retryAfterS === undefined ? {} : { retryAfterS }),
      })
    },
  })

  hub.onEvent('join_room', async (socket, { conversationId }) => {
    const standing = await readStanding(db, conversationId, socket.subject.userId)
    if (standing?.isParticipant !== true) return refuse('CONVERSATION_NOT_FOUND')
    noteDelivered(socket.id, { conversationId, seq: standing.lastSeq })
    return { lastSeq: standing.lastSeq }
  })

  hub.onEvent('leave_room', (socket, { conversationId }) => {
    typing.stop(socket.id, conversationId)
    return null
  })

  hub.onEvent('send_message', async (socket, payload) => {
    if (payload.conversationId) typing.stop(socket.id, payload.conversationId)
    const message = await sendMessage(context, socket, {
      conversationId: payload.conversationId ?? null,
      receiverId: payload.receiverId ?? null,
      kind: payload.kind,
      content: payload.content,
      clientMessageId: payload.clientMessageId,
    })
    if (isRefused(message)) return message
    socket.tell('message_sent', { message, clientMessageId: message.clientMessageId })
    noteDelivered(socket.id, message)
    return { message }
  })

  hub.onEvent('create_conversation', async (socket, { participantId }) => {
    const conversation = await openConversation(context, socket.subject.userId, participantId)
    return isRefused(conversation) ? conversation : { conversation }
  })

  hub.onEvent('typing_start', async (socket, { conversationId }) => {
    const { userId, username } = socket.subject
    const standing = await readStanding(db, conversationId, userId)
    if (standing?.isParticipant !== true) return refuse('CONVERSATION_NOT_FOUND')
    const peerId = userId === standing.playerId ? standing.holderId : standing.playerId
    typing.start(socket.id, { peerId, userId, username, conversationId })
    return null
  })

  hub.onEvent('typing_stop', (socket, { conversationId }) => {
    typing.stop(socket.id, conversationId)
    return null
  })

  hub.onEvent('mark_as_read', (socket, { conversationId, messageId }) =>
    markRead(context, socket.subject.userId, {
      conversationId,
      messageId: messageId ?? null,
      deliveredSeq: delivered.get(socket.id)?.get(conversationId) ?? 0,
    }),
  )
}
