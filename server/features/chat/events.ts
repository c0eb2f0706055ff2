import { clientMessageIdOf, type PersonInConversation } from '#contract/events.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { isRefused, refuse } from '#server/platform/http/errors.ts'
import type { ClientSocket, SocketWatcher } from '#server/platform/sockets/socket-hub.ts'
import { markRead } from './mark-read.ts'
import { following } from './merged.ts'
import { openConversation } from './open-conversation.ts'
import type { ChatContext, ChatDeps } from './ports.ts'
import { readStanding } from './queries.ts'
import { holderRoom } from './rooms.ts'
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
  'view_conversation',
])

/**
 * Handles the chat events of clients (spec §7.8). `join_room` joins no room of the hub: the server alone chooses the
 * rooms to which it emits.
 */
// oxlint-disable-next-line max-lines-per-function -- a list of parts in their order (decision 036)
export function registerChatEvents(context: ChatContext): void {
  const { db, hub } = context
  const typing = createTyping(hub)
  const viewing = createViewing(hub)
  const delivered = createDelivered()
  /** By socket: what its last `typing_start` reads. An end of typing waits for it, so as not to overtake the start. */
  const starts = new WeakMap<ClientSocket, Promise<unknown>>()
  const afterStart = (socket: ClientSocket) => Promise.allSettled([starts.get(socket)])
  const ownStanding = (conversationId: string, subject: Subject) =>
    following(db, conversationId, async (id) => {
      const standing = await readStanding(db, id, subject)
      return standing?.isParticipant === true ? { ...standing, conversationId: id } : refuse('CONVERSATION_NOT_FOUND')
    })

  hub.watch({
    told(socket, name, payload) {
      if (name === 'receive_message') delivered.note(socket, payload as Place)
    },
    closed(socket) {
      void afterStart(socket).then(() => typing.stopAll(socket.id))
      viewing.stop(socket.id)
    },
    refused: answerRefusal,
  })

  hub.onEvent('join_room', async (socket, { conversationId: namedId }) => {
    const standing = await ownStanding(namedId, socket.subject)
    if (isRefused(standing)) return standing
    const { conversationId, lastSeq: seq } = standing
    delivered.note(socket, { conversationId, seq })
    return { lastSeq: standing.lastSeq }
  })

  hub.onEvent('send_message', async (socket, payload) => {
    if (payload.conversationId) typing.stop(socket.id, payload.conversationId)
    const message = await sendMessage(context, socket, payload)
    if (isRefused(message)) return message
    socket.tell('message_sent', { message, clientMessageId: message.clientMessageId })
    delivered.note(socket, message)
    return { message }
  })

  hub.onEvent('create_conversation', async (socket, { participantId }) => {
    const conversation = await openConversation(context, socket.subject.userId, participantId)
    return isRefused(conversation) ? conversation : { conversation }
  })

  hub.onEvent('typing_start', async (socket, { conversationId: namedId }) => {
    const { userId, username } = socket.subject
    const reading = ownStanding(namedId, socket.subject)
    starts.set(socket, reading)
    const standing = await reading
    if (isRefused(standing)) return standing
    const { conversationId } = standing
    // An admin may be the player here, in a conversation from before they became one.
    const isStaff = userId !== standing.playerId
    const room = holderRoom(isStaff ? standing.playerId : standing.holderId)
    typing.start(socket.id, namedId, { room, userId, username, conversationId, isStaff })
    return null
  })

  for (const name of ['typing_stop', 'leave_room'] as const)
    hub.onEvent(name, async (socket, { conversationId }) => {
      await afterStart(socket)
      typing.stop(socket.id, conversationId)
      return null
    })

  hub.onEvent('view_conversation', ({ id, subject: { userId, username } }, { conversationId }) => {
    if (conversationId === null) viewing.stop(id)
    else viewing.start(id, { userId, username, conversationId })
    return null
  })

  hub.onEvent('mark_as_read', (socket, { conversationId, messageId = null }) =>
    following(db, conversationId, (id, isMerged) =>
      // Before the message, messages of the other conversation may stand now, which the reader has not seen. So a mark
      // of the old conversation moves nothing.
      isMerged
        ? markRead(context, socket.subject, id, null, 0)
        : markRead(context, socket.subject, id, messageId, delivered.seqOf(socket, id)),
    ),
  )
}

const answerRefusal: NonNullable<SocketWatcher['refused']> = (
  socket,
  name,
  payload,
  { code, message, retryAfterS },
) => {
  if (!CHAT_EVENTS.has(name)) return
  const clientMessageId = clientMessageIdOf(payload)
  socket.tell('error', {
    code,
    message,
    event: name,
    ...(clientMessageId === null ? {} : { clientMessageId }),
    ...(retryAfterS === undefined ? {} : { retryAfterS }),
  })
}

interface Place {
  readonly conversationId: string
  readonly seq: number
}

/**
 * Keeps, for each socket and conversation, the highest seq that counts as delivered: that of a message which the socket
 * got or sent, or the last seq at `join_room`. A seq may be noted after its socket has closed; the `WeakMap` drops it.
 */
function createDelivered() {
  const bySocket = new WeakMap<ClientSocket, Map<string, number>>()
  return {
    note(socket: ClientSocket, { conversationId, seq }: Place): void {
      const own = bySocket.get(socket) ?? new Map<string, number>()
      bySocket.set(socket, own)
      if (seq > (own.get(conversationId) ?? 0)) own.set(conversationId, seq)
    },
    seqOf: (socket: ClientSocket, conversationId: string): number => bySocket.get(socket)?.get(conversationId) ?? 0,
  }
}

/** Keeps which conversation each staff socket shows, and notifies colleagues of changes (rules §7.18). */
function createViewing(hub: Pick<ChatDeps['hub'], 'emitTo'>) {
  const bySocket = new Map<string, PersonInConversation>()
  const tell = (socketId: string, viewing: PersonInConversation, isViewing: boolean) =>
    hub.emitTo('staff:care', 'staff_viewing', { ...viewing, isViewing }, socketId)

  function stop(socketId: string): void {
    const viewing = bySocket.get(socketId)
    if (bySocket.delete(socketId) && viewing !== undefined) tell(socketId, viewing, false)
  }

  return {
    /** Replaces the conversation that the socket showed. A repeated call emits again, for colleagues who came later. */
    start(socketId: string, viewing: PersonInConversation): void {
      if (bySocket.get(socketId)?.conversationId !== viewing.conversationId) stop(socketId)
      bySocket.set(socketId, viewing)
      tell(socketId, viewing, true)
    },
    stop,
  }
}
