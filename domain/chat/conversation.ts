import { isBlank } from '../blank.ts'
import type { Desk, DeskRefusal } from './desk.ts'
import type { Capability, Role } from '#domain/identity/permissions.ts'

/** A person who writes or reads in a conversation. */
export interface ChatPerson {
  readonly id: string
  readonly username: string
  readonly avatar: string | null
  readonly role: Role
}

/** A person with presence (rules §7): everybody sees the presence of staff, only staff see the presence of players. */
export interface ChatUser extends ChatPerson {
  readonly isOnline: boolean
  readonly lastSeenAtMs: number | null
}

export type MessageKind = 'text' | 'image'

/**
 * Size and preview of an image, so that a client can reserve its space before the image has loaded. `thumbhash` is
 * base64.
 */
export interface ImageFacts {
  readonly width: number
  readonly height: number
  readonly thumbhash: string
}

/** A message as the server stores it. `seq` is its position in the conversation, counted from 1 without gaps. */
export interface ChatMessage {
  readonly id: string
  readonly conversationId: string
  readonly seq: number
  readonly sender: ChatPerson
  /** The id that the sender's client gave the message; unique for ever among the messages of that sender. */
  readonly clientMessageId: string
  readonly kind: MessageKind
  /** The text, or the address of the image. */
  readonly content: string
  readonly image: ImageFacts | null
  /** The dispute that this text opened or answered (rules §9); written by the server alone. Absent for all others. */
  readonly disputeId?: string
  readonly sentAtMs: number
  /** Both equal `sentAtMs`: a stored message never changes. */
  readonly createdAtMs: number
  readonly updatedAtMs: number
  /**
   * The sender and everybody who had read the message when the server sent this copy; later reads arrive as read
   * markers.
   */
  readonly readerIds: readonly string[]
}

/** The highest seq that a person has read. A marker never moves back (rules §7). */
export interface ReadMarker {
  readonly conversationId: string
  readonly userId: string
  readonly readSeq: number
}

/** A conversation as one of its two participants, or an admin reading it, sees it. */
export interface Conversation {
  readonly id: string
  /** The player first, then the admin who holds it. */
  readonly participants: readonly [player: ChatUser, holder: ChatUser]
  readonly lastMessage: ChatMessage | null
  readonly lastSeq: number
  readonly lastActivityAtMs: number
  readonly createdAtMs: number
  readonly updatedAtMs: number
  /**
   * False while the holder is frozen, demoted, deleted or without `care`: the player's next message would be refused with HOLDER_GONE.
   */
  readonly isActive: boolean
  /** Messages of the other participant after the reader's own marker, as of `lastSeq`. */
  readonly unreadCount: number
  /** The reader's own marker; 0 before the first read. */
  readonly readSeq: number
  /** The other participant's marker. */
  readonly peerReadSeq: number
  /** The reader deleted the conversation up to this seq; -1 when it was never deleted. */
  readonly hiddenThroughSeq: number
  /** How far staff are with it; for staff alone. */
  readonly desk?: Desk
}

/** Longest text of a message, in UTF-16 units after trimming. */
export const MESSAGE_TEXT_MAX = 4_000

/** The text as it is stored: trimmed. Null when it shows nothing or is too long (spec §5). */
export function cleanText(text: string): string | null {
  const trimmed = text.trim()
  return isBlank(trimmed) || trimmed.length > MESSAGE_TEXT_MAX || trimmed.includes('\0') || !trimmed.isWellFormed()
    ? null
    : trimmed
}

/** The form in which texts are searched: lower case, without accents, đ as d. */
export const searchKey = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll('đ', 'd')

/** The fields of an account that the chat rules need. */
export interface ChatAccount {
  readonly id: string
  readonly role: Role
  readonly capabilities: readonly Capability[]
  readonly isFrozen: boolean
  readonly isDeleted: boolean
}

export type ChatRefusal =
  | 'CHAT_NOT_ALLOWED'
  | 'CONVERSATION_NOT_FOUND'
  | 'HOLDER_GONE'
  | 'HOLDER_CHANGED'
  | 'HOLDER_HAS_ONE'
  | 'MESSAGE_INVALID'
  | 'IMAGE_NOT_YOURS'
  | 'SENDING_TOO_FAST'
  | DeskRefusal
  | 'TOO_MANY_REPLIES'

/** True when this account can hold conversations: an admin with `care` who is neither frozen nor deleted (rules §7). */
export const canHold = (account: ChatAccount | null): boolean =>
  account !== null &&
  account.role === 'admin' &&
  account.capabilities.includes('care') &&
  !account.isFrozen &&
  !account.isDeleted

/** Decides whether two accounts may open a conversation: a player with staff, from either side (spec §6). */
export function decideOpen(
  self: ChatAccount,
  other: ChatAccount | null,
):
  | { readonly ok: true; readonly playerId: string; readonly holderId: string }
  | { ok: false; refusal: 'CHAT_NOT_ALLOWED' | 'HOLDER_GONE' } {
  if (other === null || other.id === self.id) return { ok: false, refusal: 'CHAT_NOT_ALLOWED' }
  if (self.role === 'player') {
    if (canHold(other)) return { ok: true, playerId: self.id, holderId: other.id }
    return { ok: false, refusal: other.role === 'admin' ? 'HOLDER_GONE' : 'CHAT_NOT_ALLOWED' }
  }
  if (other.role === 'admin' || other.isDeleted) return { ok: false, refusal: 'CHAT_NOT_ALLOWED' }
  return { ok: true, playerId: other.id, holderId: self.id }
}

/**
 * Decides whether an account may send into a conversation. Only its player and its holder can. A player's message also
 * needs a holder who can still hold conversations (rules §7). For every other account the answer is that the
 * conversation does not exist.
 */
export function decideSend(
  senderId: string,
  conversation: { readonly playerId: string; readonly holder: ChatAccount },
): 'CONVERSATION_NOT_FOUND' | 'HOLDER_GONE' | null {
  if (senderId !== conversation.playerId && senderId !== conversation.holder.id) return 'CONVERSATION_NOT_FOUND'
  return canHold(conversation.holder) ? null : 'HOLDER_GONE'
}

/**
 * Decides a change of holder as a compare-and-set (rules §7): staff claim for themselves, and the holder hands over.
 * @param seenHolderId the holder that the actor saw
 */
export function decideHolderChange(
  actorId: string,
  conversation: { readonly holderId: string },
  seenHolderId: string,
  next: ChatAccount | null,
): 'HOLDER_CHANGED' | 'HOLDER_GONE' | 'FORBIDDEN' | null {
  if (conversation.holderId !== seenHolderId) return 'HOLDER_CHANGED'
  if (next === null || !canHold(next)) return 'HOLDER_GONE'
  return next.id === actorId || conversation.holderId === actorId ? null : 'FORBIDDEN'
}
