import * as z from 'zod/mini'
import { ROUND_TYPES } from '#domain/game/calendar.ts'
import { conversation, message, messageKind } from './chat.ts'
import { amount, answer, goldPrice, id, instant } from './codecs.ts'
import type { RefusalCode, SharedRefusal } from './refusals.ts'

/**
 * The whole socket protocol (spec §7, rules §6). Events are hints: the rows behind the HTTP calls are the truth, and a
 * client refetches after a reconnect.
 */
export const priceTick = answer(() => ({
  source: ['source', z.string()],
  sourceLabel: ['sourceLabel', z.string()],
  second: ['second', z.int()],
  /** Null when nobody had a quote for this second. */
  price: ['price', z.nullable(goldPrice)],
  quoteAtMs: ['quoteAt', z.nullable(instant)],
  serverTimeMs: ['serverTime', instant],
}))
export type PriceTick = z.output<typeof priceTick>

/** The handshake: the token is checked, userId and username must match it (rules §4). */
export const handshake = z.object({
  token: z.string().check(z.maxLength(512)),
  userId: z.optional(z.string()),
  username: z.optional(z.string()),
})

/** A tempId: the client's own id of a message, unique for ever among those of its sender (rules §7). */
const clientMessageId = z.string().check(z.regex(/^[\w.:-]{1,64}$/))
const inConversation = z.object({ conversationId: id })
const typing = z.object({ userId: z.string(), username: z.string(), conversationId: z.string() })
const presence = answer(() => ({ userId: ['userId', z.string()], lastSeenAtMs: ['lastSeen', z.nullable(instant)] }))

/**
 * What clients send. Every one is answered by an acknowledgement: { ok: true, … } or { ok: false, code, message }. A
 * refused chat event is told as `error` too.
 */
export const clientEvents = {
  /** Join the rooms of one game type; the answer is an acknowledgement. */
  watch_game: z.object({ type: z.enum(ROUND_TYPES) }),
  unwatch_game: z.object({ type: z.enum(ROUND_TYPES) }),
  /** Participants only. The answer tells `lastSeq`: so much this socket now knows of. */
  join_room: inConversation,
  leave_room: inConversation,
  /**
   * With `receiverId` instead of `conversationId` the conversation is made with its first message. The answer carries
   * the stored `message`; a repeated tempId gets the same again.
   */
  send_message: answer(() => ({
    conversationId: ['conversationId', z.optional(z.nullable(id))],
    receiverId: ['receiverId', z.optional(z.nullable(id))],
    content: ['content', z.string()],
    kind: ['type', messageKind],
    clientMessageId: ['tempId', clientMessageId],
  })),
  /** The answer carries the `conversation`. */
  create_conversation: z.object({ participantId: id }),
  typing_start: inConversation,
  typing_stop: inConversation,
  /** Without an id: as far as this socket was told. The answer tells `readSeq` and `unreadCount`. */
  mark_as_read: answer(() => ({
    conversationId: ['conversationId', id],
    messageId: ['upToMessageId', z.optional(z.nullable(id))],
  })),
} as const

/** The tempId of whatever a client sent, so that a refusal can name it; null when there is none. */
export function clientMessageIdOf(payload: unknown): string | null {
  const value = typeof payload === 'object' && payload !== null ? (payload as { tempId?: unknown }).tempId : null
  return typeof value === 'string' && value.length <= 64 ? value : null
}

/** What an acknowledgement carries beside `ok: true`; nothing for the events that are not named. */
export const clientAnswers = {
  join_room: z.object({ lastSeq: z.int() }),
  send_message: z.object({ message }),
  create_conversation: z.object({ conversation }),
  mark_as_read: z.object({ readSeq: z.int(), unreadCount: z.int(), lastSeq: z.int() }),
} as const

/** What an event may be refused with beside the shared refusals; nothing for the events that are not named. */
export const clientRefusals = {
  join_room: ['CONVERSATION_NOT_FOUND'],
  send_message: [
    'CHAT_NOT_ALLOWED',
    'CONVERSATION_NOT_FOUND',
    'HOLDER_GONE',
    'MESSAGE_INVALID',
    'IMAGE_NOT_YOURS',
    'SENDING_TOO_FAST',
  ],
  create_conversation: ['CHAT_NOT_ALLOWED', 'HOLDER_GONE', 'CONVERSATION_NOT_FOUND'],
  typing_start: ['CONVERSATION_NOT_FOUND'],
  mark_as_read: ['CONVERSATION_NOT_FOUND'],
} as const satisfies Partial<Record<ClientEventName, readonly RefusalCode[]>>

export const serverEvents = {
  /** Room `game:{type}`, once a second. */
  price_tick: priceTick,
  /** Room `game:{type}`: a round opened, was announced, deleted or ended. */
  round_changed: z.object({ type: z.enum(ROUND_TYPES) }),
  /** The owner's room. */
  bet_changed: z.object({ betId: z.string() }),
  balance_changed: answer(() => ({ balanceMinor: ['score', amount] })),
  account_changed: z.object({}),
  /** Sent before this user's sockets are closed. */
  session_ended: z.object({ reason: z.string() }),
  /** Sent before a socket that sends too much is closed (rules §6): why, and whole seconds after which to come again. */
  cut_off: answer(() => ({
    code: ['code', z.string()],
    message: ['message', z.string()],
    retryAfterS: ['retryAfter', z.int()],
  })),
  /** Every socket of both sides, except the one that sent it. */
  receive_message: message,
  /** The socket that sent it, once for each `send_message`, also when a tempId was repeated. */
  message_sent: answer(() => ({ message: ['message', message], clientMessageId: ['tempId', z.string()] })),
  /** Both sides' user rooms, each its own view; `conversation_changed` when its holder is another one now. */
  conversation_created: conversation,
  conversation_changed: conversation,
  /** The user's room: deleted in another tab up to `throughSeq`, or, where that is null, held by another admin now. */
  conversation_removed: z.object({ conversationId: z.string(), throughSeq: z.nullable(z.int()) }),
  /** The other side's user room. */
  user_typing: typing,
  user_stop_typing: typing,
  /** Both sides' user rooms; `unreadCount` as of `lastSeq` is the reader's and told to the reader alone. */
  message_read: answer(() => ({
    conversationId: ['conversationId', z.string()],
    readerId: ['readByUserId', z.string()],
    messageId: ['upToMessageId', z.string()],
    readSeq: ['seq', z.int()],
    atMs: ['timestamp', instant],
    unreadCount: ['unreadCount', z.optional(z.int())],
    lastSeq: ['lastSeq', z.optional(z.int())],
  })),
  /** Of admins to everybody, of players to admins. */
  user_online: presence,
  user_offline: presence,
  /** The socket whose event was refused. */
  error: answer(() => ({
    code: ['code', z.string()],
    message: ['message', z.string()],
    event: ['event', z.string()],
    clientMessageId: ['tempId', z.optional(z.string())],
    retryAfterS: ['retryAfter', z.optional(z.int())],
  })),
  /** The admins' room. */
  transaction_changed: z.object({ requestId: z.string() }),
} as const

export type ClientEventName = keyof typeof clientEvents
export type ClientEvent<Name extends ClientEventName> = z.output<(typeof clientEvents)[Name]>
export type ClientAnswer<Name extends ClientEventName> = Name extends keyof typeof clientAnswers
  ? z.output<(typeof clientAnswers)[Name]>
  : null
export type ServerEventName = keyof typeof serverEvents
export type ServerEvent<Name extends ServerEventName> = z.output<(typeof serverEvents)[Name]>
/** Every refusal that the acknowledgement of this event may carry. */
export type ClientRefusal<Name extends ClientEventName> =
  | SharedRefusal
  | (Name extends keyof typeof clientRefusals ? (typeof clientRefusals)[Name][number] : never)
