import * as z from 'zod/mini'
import { ROUND_TYPES } from '#domain/game/calendar.ts'
import type { Admission, StaffAccess } from '#domain/identity/permissions.ts'
import { conversation, message } from './chat.ts'
import { amount, answer, goldPrice, id, instant, text } from './codecs.ts'
import type { RefusalCode, SharedRefusal } from './refusals.ts'

/* The socket protocol (spec §7.8, rules §6.5). Events may be lost: a client refetches rows after a reconnect. */

export const priceTick = answer(() => ({
  source: text,
  sourceLabel: text,
  second: z.int(),
  price: z.nullable(goldPrice),
  quoteAtMs: ['quoteAt', z.nullable(instant)],
  serverTimeMs: ['serverTime', instant],
}))
export type PriceTick = z.output<typeof priceTick>

/** The handshake. `userId` and `username`, if sent, must be those of the token's user (rules §4.3). */
export const handshake = z.object({
  token: text.check(z.maxLength(512)),
  userId: z.optional(text),
  username: z.optional(text),
})

const clientMessageId = text.check(z.regex(/^[\w.:-]{1,64}$/))
const inConversation = z.object({ conversationId: id })
const typing = z.object({ userId: text, username: text, conversationId: text })
export type PersonInConversation = z.output<typeof typing>
const presence = answer(() => ({ userId: text, lastSeenAtMs: ['lastSeen', z.nullable(instant)] }))

/**
 * Events that clients send. The server acknowledges them with { ok: true, … } or { ok: false, code, message }, unless a
 * socket sends far too many events. The refusal of a chat event is also emitted as `error`.
 */
export const clientEvents = {
  watch_game: z.object({ type: z.enum(ROUND_TYPES) }),
  unwatch_game: z.object({ type: z.enum(ROUND_TYPES) }),
  /** For participants only. The messages up to the answer's `lastSeq` count as delivered to the sending socket. */
  join_room: inConversation,
  leave_room: inConversation,
  /** With `receiverId` instead of `conversationId`, a conversation with this user is found or made (rules §7.3). */
  send_message: answer(() => ({
    conversationId: z.optional(z.nullable(id)),
    receiverId: z.optional(z.nullable(id)),
    content: text,
    kind: ['type', z.enum(['text', 'image', 'file'])],
    clientMessageId: ['tempId', clientMessageId],
    quotedMessageId: z.optional(z.nullable(id)),
  })),
  create_conversation: z.object({ participantId: id }),
  typing_start: inConversation,
  typing_stop: inConversation,
  /** The conversation that the page of an admin shows, or null; sent again every 20 s (rules §7.18). */
  view_conversation: z.object({ conversationId: z.nullable(id) }),
  /** Without `messageId`, marks everything up to the last message that was delivered to this socket. */
  mark_as_read: answer(() => ({ conversationId: id, messageId: ['upToMessageId', z.optional(z.nullable(id))] })),
} as const

const inChat = { access: 'player', asStaff: 'staff:care' } as const satisfies Admission

export const clientAdmissions: Readonly<Record<ClientEventName, Admission>> = {
  watch_game: { access: 'player' },
  unwatch_game: { access: 'player' },
  join_room: inChat,
  leave_room: inChat,
  send_message: inChat,
  create_conversation: inChat,
  typing_start: inChat,
  typing_stop: inChat,
  view_conversation: { access: 'staff:care' },
  mark_as_read: inChat,
}

/** Returns the tempId of an event's payload, so that a refusal can name it; null if the payload has no valid one. */
export function clientMessageIdOf(payload: unknown): string | null {
  const value = typeof payload === 'object' && payload !== null ? (payload as { tempId?: unknown }).tempId : null
  const named = z.safeParse(text.check(z.maxLength(64)), value)
  return named.success ? named.data : null
}

/** The fields of acknowledgements beside `ok: true`. An event that is not listed has none. */
export const clientAnswers = {
  join_room: z.object({ lastSeq: z.int() }),
  send_message: z.object({ message }),
  create_conversation: z.object({ conversation }),
  mark_as_read: z.object({ readSeq: z.int(), unreadCount: z.int(), lastSeq: z.int() }),
} as const

export const clientRefusals = {
  join_room: ['CONVERSATION_NOT_FOUND'],
  send_message: [
    'CHAT_NOT_ALLOWED',
    'CONVERSATION_NOT_FOUND',
    'HOLDER_GONE',
    'HOLDER_CHANGED',
    'HOLDER_HAS_ONE',
    'MESSAGE_INVALID',
    'MESSAGE_NOT_FOUND',
    'IMAGE_NOT_YOURS',
    'SENDING_TOO_FAST',
  ],
  create_conversation: ['CHAT_NOT_ALLOWED', 'HOLDER_GONE', 'CONVERSATION_NOT_FOUND'],
  typing_start: ['CONVERSATION_NOT_FOUND'],
  mark_as_read: ['CONVERSATION_NOT_FOUND'],
} as const satisfies Partial<Record<ClientEventName, readonly RefusalCode[]>>

export const serverEvents = {
  price_tick: priceTick,
  round_changed: z.object({ type: z.enum(ROUND_TYPES) }),
  bet_changed: z.object({ betId: text, isSettled: z.optional(z.boolean()) }),
  balance_changed: answer(() => ({ balanceMinor: ['score', amount] })),
  account_changed: z.object({}),
  notices_changed: z.object({}),
  session_ended: z.object({ reason: text }),
  /** Sent before the server closes a socket that sends too much (rules §6.7). */
  cut_off: answer(() => ({ code: text, message: text, retryAfterS: ['retryAfter', z.int()] })),
  /** Sent to the player and the holder; while nobody holds the conversation, to the player and all `care` admins. */
  receive_message: message,
  /** Sent to the sending socket for each accepted `send_message`, even when its tempId was used before. */
  message_sent: answer(() => ({ message, clientMessageId: ['tempId', text] })),
  message_changed: message,
  note_added: z.object({ conversationId: text }),
  /**
   * Each receiver gets the conversation as they see it. `conversation_created` has the receivers of `receive_message`;
   * those of `conversation_changed` depend on the change (rules §6.5).
   */
  conversation_created: conversation,
  conversation_changed: conversation,
  /** `throughSeq`: the user deleted the conversation up to this seq; null after a merge or a change of holder. */
  conversation_removed: z.object({ conversationId: text, throughSeq: z.nullable(z.int()) }),
  user_typing: typing,
  user_stop_typing: typing,
  staff_typing: z.object({ ...typing.shape, isTyping: z.boolean() }),
  staff_viewing: z.object({ ...typing.shape, isViewing: z.boolean() }),
  /** Sent to the player and to the holder. Only `readerId` gets `unreadCount`, which was counted up to `lastSeq`. */
  message_read: answer(() => ({
    conversationId: text,
    readerId: ['readByUserId', text],
    messageId: ['upToMessageId', text],
    readSeq: ['seq', z.int()],
    atMs: ['timestamp', instant],
    unreadCount: z.optional(z.int()),
    lastSeq: z.optional(z.int()),
  })),
  /** Everybody gets the presence of admins, and admins with `care` get the presence of players (rules §7.6). */
  user_online: presence,
  user_offline: presence,
  error: answer(() => ({
    code: text,
    message: text,
    event: text,
    clientMessageId: ['tempId', z.optional(text)],
    retryAfterS: ['retryAfter', z.optional(z.int())],
  })),
  transaction_changed: z.object({ requestId: text }),
  /** Sent to the admins' room when an admin opens this request or leaves it (rules §3.11). */
  transaction_viewed: z.object({ requestId: text }),
  proposal_changed: z.object({ proposalId: text }),
  /** Sent to the admins' room after an act on this account, or a new note about the account (rules §6.5). */
  user_changed: z.object({ userId: text }),
  /** Sent to the admins' room and the room of the dispute's owner. */
  dispute_changed: z.object({ disputeId: text }),
} as const

/**
 * For each event, the access that an ADMIN needs to get it as staff. An event is emitted to the room of its access, or
 * to the room of a conversation's holder, which only an ADMIN with `care` joins.
 */
export const staffRooms = {
  transaction_changed: 'staff',
  transaction_viewed: 'staff',
  proposal_changed: 'staff',
  user_changed: 'staff',
  dispute_changed: 'staff',
  note_added: 'staff:care',
  user_online: 'staff:care',
  user_offline: 'staff:care',
  receive_message: 'staff:care',
  message_changed: 'staff:care',
  conversation_created: 'staff:care',
  conversation_changed: 'staff:care',
  conversation_removed: 'staff:care',
  user_typing: 'staff:care',
  user_stop_typing: 'staff:care',
  staff_typing: 'staff:care',
  staff_viewing: 'staff:care',
  message_read: 'staff:care',
} as const satisfies Partial<Record<ServerEventName, StaffAccess>>

export type ClientEventName = keyof typeof clientEvents
export type ClientEvent<Name extends ClientEventName> = z.output<(typeof clientEvents)[Name]>
export type ClientAnswer<Name extends ClientEventName> = Name extends keyof typeof clientAnswers
  ? z.output<(typeof clientAnswers)[Name]>
  : null
export type ServerEventName = keyof typeof serverEvents
export type ServerEvent<Name extends ServerEventName> = z.output<(typeof serverEvents)[Name]>
export type ClientRefusal<Name extends ClientEventName> =
  | SharedRefusal
  | (Name extends keyof typeof clientRefusals ? (typeof clientRefusals)[Name][number] : never)
