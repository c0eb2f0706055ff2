import * as z from 'zod/mini'
import type { ChatMessage, ChatUser, Conversation } from '#domain/chat/conversation.ts'
import { bankAccount } from './banks.ts'
import { REPLY_NAME } from '#domain/chat/reply.ts'
import type { Desk } from '#domain/chat/desk.ts'
import { amount, answer, askedInstant, id, instant, judgedText, person, query, request, text, words } from './codecs.ts'
import { endpoint, listOf } from './endpoint.ts'
import { role } from './identity.ts'
import { listQuery } from './page-query.ts'

const personFields = {
  id: ['_id', text],
  username: text,
  avatar: z.nullable(text),
  role,
} as const

export const chatUser: z.ZodMiniType<ChatUser> = answer(() => ({
  ...personFields,
  isOnline: z.boolean(),
  lastSeenAtMs: ['lastSeen', z.nullable(instant)],
}))

const quote = answer(() => ({
  seq: z.int(),
  username: text,
  kind: ['type', z.enum(['text', 'image', 'retracted'])],
  text: ['content', text],
}))

/**
 * A message (spec §3.6). `clientMessageId` is the `tempId` that the sender's client made. The field is not called
 * `tempId` here, because a client takes a message with a field `tempId` for one that is not sent yet. A retracted
 * message has an empty content.
 */
export const message: z.ZodMiniType<ChatMessage> = answer(() => ({
  id: ['_id', text],
  conversationId: text,
  seq: z.int(),
  sender: ['senderId', answer(() => personFields)],
  clientMessageId: text,
  kind: ['type', z.enum(['text', 'image'])],
  content: text,
  image: z.nullable(z.object({ width: z.int(), height: z.int(), thumbhash: text })),
  file: z.optional(z.object({ url: text, name: text, bytes: z.int() })),
  disputeId: z.optional(text),
  quoted: z.optional(quote),
  isRetracted: z.optional(z.boolean()),
  editedAtMs: ['editedAt', z.optional(instant)],
  sentAtMs: ['sentAt', instant],
  createdAtMs: ['createdAt', instant],
  updatedAtMs: ['updatedAt', instant],
  readerIds: ['readBy', z.array(text)],
}))

export const deskState = words({ open: 'OPEN', snoozed: 'SNOOZED', done: 'DONE' })

export const caseTopic = words({
  ...{ bet: 'BET', deposit: 'DEPOSIT', withdrawal: 'WITHDRAWAL' },
  ...{ account: 'ACCOUNT', other: 'OTHER' },
})

const desk: z.ZodMiniType<Desk> = answer(() => ({
  state: deskState,
  snoozedUntilMs: ['snoozedUntil', z.nullable(instant)],
  waitingSinceMs: ['waitingSince', z.nullable(instant)],
  tags: z.optional(z.array(text)),
  topic: z.optional(z.nullable(caseTopic)),
}))

export const conversation: z.ZodMiniType<Conversation> = answer(() => ({
  id: ['_id', text],
  participants: z.tuple([chatUser, chatUser]),
  lastMessage: z.nullable(message),
  lastSeq: z.int(),
  lastActivityAtMs: ['lastActivity', instant],
  createdAtMs: ['createdAt', instant],
  updatedAtMs: ['updatedAt', instant],
  isActive: z.boolean(),
  unreadCount: z.int(),
  readSeq: z.int(),
  peerReadSeq: z.int(),
  hiddenThroughSeq: z.int(),
  mergedFrom: z.optional(z.array(text)),
  desk: z.optional(desk),
}))

export const MISSED_CONVERSATIONS_MAX = 500

export const missed = z.object({
  /**
   * Two parts, each sorted newest first. First come the conversations that the client named, except those in `gone`.
   * After them come conversations into which a named one was merged, the user's newest conversations and, for staff,
   * the conversations in the queue whose player waits for a reply.
   */
  conversations: z.array(conversation),
  /** The first messages after the `seq` that the client sent, sorted by `seq` within each conversation. */
  messages: z.array(message),
  /** Edited or retracted messages up to the client's `seq`. The client may have the change already (rules §7.15). */
  changed: z.optional(z.array(message)),
  markers: z.array(z.object({ conversationId: text, userId: text, readSeq: z.int() })),
  /** Conversations that the client named but that are not in this user's list. */
  gone: z.array(text),
  hasMore: z.boolean(),
})
export type Missed = z.output<typeof missed>

export const customer = answer(() => ({
  id: ['_id', text],
  username: text,
  avatar: z.nullable(text),
  balanceMinor: ['score', amount],
  creditScore: z.int(),
  vip: z.nullable(z.int()),
  isFrozen: ['isPaused', z.boolean()],
  banks: ['bank', z.array(bankAccount)],
  createdAtMs: ['createdAt', instant],
}))
export type Customer = z.output<typeof customer>

const cannedReply = answer(() => ({
  id: ['_id', text],
  name: text,
  text,
  isShared: z.boolean(),
  maker: ['author', person],
}))
export type CannedReply = z.output<typeof cannedReply>

const claimedUser = z.optional(text)

/** The end of a page of conversations: the instant by which they are sorted, in microseconds, and the id of the last. */
const cursor = text.check(z.regex(/^\d{1,16}_[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/))

const SEQ_MAX = 2 ** 31 - 1
const seq = z.int().check(z.minimum(0), z.maximum(SEQ_MAX))
const querySeq = z.codec(text.check(z.regex(/^\d{1,10}$/)), seq, { decode: Number, encode: String })

export const chatEndpoints = {
  listChatUsers: endpoint('GET', '/api/v1/chat/users', 'player', {
    asStaff: 'staff:care',
    query: query(() => ({ currentUserId: claimedUser })),
    data: z.array(chatUser),
    summary: 'The other admins who can be written to, those who are there first',
  }),
  listConversations: endpoint('GET', '/api/v1/chat/conversations', 'player', {
    asStaff: 'staff:care',
    query: query(() => ({
      ...listQuery,
      userId: claimedUser,
      /**
       * The filters from `scope` to `topic` are for staff. With `scope=all`, conversations that another admin holds
       * lack their last message. `waiting` selects those whose player waits for a reply, the longest wait first.
       */
      scope: z.optional(z.enum(['own', 'all'])),
      waiting: z.optional(z.enum(['true'])),
      state: z.optional(deskState),
      tag: z.optional(text.check(z.maxLength(64))),
      topic: z.optional(caseTopic),
      username: z.optional(text.check(z.maxLength(64))),
      /** `next` of the page before. Unlike `page`, it misses no conversation if others leave the list meanwhile. */
      after: z.optional(cursor),
    })),
    ...listOf(conversation),
    summary: 'Own conversations, the latest first',
  }),
  getConversation: endpoint('GET', '/api/v1/chat/conversations/{id}', 'player', {
    asStaff: 'staff:care',
    data: conversation,
    refusals: ['CONVERSATION_NOT_FOUND'],
    summary: 'One conversation',
  }),
  listMessages: endpoint('GET', '/api/v1/chat/conversations/{id}/messages', 'player', {
    asStaff: 'staff:care',
    query: query(() => ({
      page: listQuery.page,
      limit: listQuery.limit,
      userId: claimedUser,
      /** `beforeSeq` asks for the newest messages below that seq, `afterSeq` for the oldest messages above it. */
      beforeSeq: z.optional(querySeq),
      afterSeq: z.optional(querySeq),
    })),
    ...listOf(message),
    refusals: ['CONVERSATION_NOT_FOUND'],
    summary: 'Messages, newest first; 30 unless a limit is named',
  }),
  editMessage: endpoint('PUT', '/api/v1/chat/messages/{id}', 'player', {
    asStaff: 'staff:care',
    body: request(() => ({ content: judgedText })),
    data: message,
    refusals: ['MESSAGE_NOT_FOUND', 'MESSAGE_FIXED', 'MESSAGE_TOO_OLD', 'MESSAGE_INVALID', 'SENDING_TOO_FAST'],
    summary: 'Give an own text of the last two minutes another content',
  }),
  retractMessage: endpoint('DELETE', '/api/v1/chat/messages/{id}', 'player', {
    asStaff: 'staff:care',
    data: message,
    refusals: ['MESSAGE_NOT_FOUND', 'MESSAGE_FIXED', 'MESSAGE_TOO_OLD', 'SENDING_TOO_FAST'],
    summary: 'Take back an own message of the last two minutes, for both sides',
  }),
  openConversation: endpoint('POST', '/api/v1/chat/conversations', 'player', {
    asStaff: 'staff:care',
    body: request(() => ({ currentUserId: claimedUser, participantId: id })),
    data: conversation,
    refusals: ['CHAT_NOT_ALLOWED', 'HOLDER_GONE', 'CONVERSATION_NOT_FOUND'],
    summary: 'The conversation with somebody, made if there is none',
  }),
  deleteConversation: endpoint('DELETE', '/api/v1/chat/conversations/{id}', 'player', {
    asStaff: 'staff:care',
    query: query(() => ({
      userId: claimedUser,
      /** Seq of the last message that the user saw; by default, of the conversation's last message. */
      throughSeq: z.optional(querySeq),
    })),
    data: z.object({ hiddenThroughSeq: z.int() }),
    refusals: ['CONVERSATION_NOT_FOUND'],
    summary: 'Hide a conversation up to a message for oneself; a later one brings it back',
  }),
  /** A POST, although the call only reads, because `known` may be too long for a URL. */
  readMissed: endpoint('POST', '/api/v1/chat/missed', 'player', {
    asStaff: 'staff:care',
    body: request(() => ({
      known: z
        .array(z.strictObject({ conversationId: id, afterSeq: seq }))
        .check(z.maxLength(MISSED_CONVERSATIONS_MAX)),
    })),
    data: missed,
    summary: 'What came in all conversations after the seqs that a client has',
  }),
  readUnread: endpoint('GET', '/api/v1/chat/unread', 'player', {
    asStaff: 'staff:care',
    data: z.object({ conversations: z.int(), messages: z.int() }),
    summary: 'How much is unread in all conversations',
  }),
  searchMessages: endpoint('GET', '/api/v1/chat/search', 'player', {
    asStaff: 'staff:care',
    query: query(() => ({ text: text.check(z.minLength(1), z.maxLength(100)), limit: listQuery.limit })),
    data: z.array(message),
    summary: 'Messages that hold a text, accents or none, newest first: of own conversations, for staff of all',
  }),
  changeState: endpoint('PUT', '/api/v1/chat/conversations/{id}/state', 'staff:care', {
    body: request(() => ({
      state: deskState,
      /** When a snoozed conversation opens again; null for the other states. */
      untilMs: ['until', z.nullable(askedInstant)],
      /** Seq of the last message that the admin saw. If the player wrote a later message, only `OPEN` is accepted. */
      seenSeq: seq,
    })),
    data: conversation,
    refusals: ['CONVERSATION_NOT_FOUND', 'HOLDER_CHANGED', 'NEW_MESSAGE', 'SNOOZE_INVALID'],
    summary: 'Mark an own conversation as done, snooze it, or open it again',
  }),
  changeHolder: endpoint('POST', '/api/v1/chat/conversations/{id}/holder', 'staff:care', {
    body: request(() => ({ fromId: ['from', id], toId: ['to', id], note: z.optional(judgedText) })),
    data: conversation,
    refusals: [
      'CONVERSATION_NOT_FOUND',
      'HOLDER_CHANGED',
      'HOLDER_GONE',
      'HOLDER_HAS_ONE',
      'NOT_YOURSELF',
      'CHAT_NOTE_INVALID',
    ],
    summary: 'Claim a conversation for oneself, or hand an own one over, or back to the queue',
  }),
  listReplies: endpoint('GET', '/api/v1/chat/replies', 'staff:care', {
    data: z.array(cannedReply),
    summary: 'Canned replies: the own ones first, then those that others share',
  }),
  saveReply: endpoint('POST', '/api/v1/chat/replies', 'staff:care', {
    body: request(() => ({
      name: text.check(z.regex(REPLY_NAME)),
      text: judgedText,
      isShared: z.boolean(),
    })),
    data: cannedReply,
    refusals: ['MESSAGE_INVALID', 'TOO_MANY_REPLIES'],
    summary: 'Keep a canned reply; an own one of the same name is replaced',
  }),
  deleteReply: endpoint('DELETE', '/api/v1/chat/replies/{id}', 'staff:care', {
    parts: ['owner'],
    refusals: ['NOT_FOUND'],
    summary: 'Delete a canned reply: an own one, or as an owner one that is shared',
  }),
  readCustomer: endpoint('GET', '/api/v1/chat/conversations/{id}/customer', 'staff:care', {
    data: customer,
    refusals: ['CONVERSATION_NOT_FOUND', 'NOT_FOUND'],
    summary: 'The player of a conversation with balance and banks; every look is in the audit log',
  }),
} as const
