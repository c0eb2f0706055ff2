import type { Role } from '#domain/identity/permissions.ts'

/** Somebody who writes or reads in a conversation. */
export interface ChatPerson {
  readonly id: string
  readonly username: string
  readonly avatar: string | null
  readonly role: Role
}

/** A person with presence (rules §7): everybody sees that of staff, staff alone that of a player. */
export interface ChatUser extends ChatPerson {
  readonly isOnline: boolean
  readonly lastSeenAtMs: number | null
}

export type MessageKind = 'text' | 'image'

/** What a client needs to keep an image's place before its bytes are there. `thumbhash` is base64. */
export interface ImageFacts {
  readonly width: number
  readonly height: number
  readonly thumbhash: string
}

/** A message as the server keeps it: `seq` is its place in the conversation, from 1 and without holes. */
export interface ChatMessage {
  readonly id: string
  readonly conversationId: string
  readonly seq: number
  readonly sender: ChatPerson
  /** The id its writer gave it; unique for ever among the messages of that sender. */
  readonly clientMessageId: string
  readonly kind: MessageKind
  /** The text, or the image's address. */
  readonly content: string
  readonly image: ImageFacts | null
  readonly sentAtMs: number
  /** Both are `sentAtMs` again: a stored message never changes. */
  readonly createdAtMs: number
  readonly updatedAtMs: number
  /** The sender, then those who had read it when the server sent this copy; later reads are in the markers. */
  readonly readerIds: readonly string[]
}

/** How far somebody has read: everything up to this seq. Markers never move back (rules §7). */
export interface ReadMarker {
  readonly conversationId: string
  readonly userId: string
  readonly readSeq: number
}

/** A conversation as one of the two, or reading staff, sees it. */
export interface Conversation {
  readonly id: string
  /** The player first, then the admin who holds it. */
  readonly participants: readonly [player: ChatUser, holder: ChatUser]
  readonly lastMessage: ChatMessage | null
  readonly lastSeq: number
  readonly lastActivityAtMs: number
  readonly createdAtMs: number
  readonly updatedAtMs: number
  /** False while its holder is frozen, demoted or deleted: the player's next message would be HOLDER_GONE. */
  readonly isActive: boolean
  /** The other's messages after the own marker, as of `lastSeq`. */
  readonly unreadCount: number
  /** The own marker; 0 before anything was read. */
  readonly readSeq: number
  /** The other's marker. */
  readonly peerReadSeq: number
  /** Deleted for oneself up to this seq; -1 where it never was. */
  readonly hiddenThroughSeq: number
}

/** Longest text of a message, in UTF-16 units after trimming. */
export const MESSAGE_TEXT_MAX = 4_000

/** Text as it is stored: without blanks around it. Null when nothing is left or it is too long (spec §5). */
export function cleanText(text: string): string | null {
  const trimmed = text.trim()
  return trimmed.length === 0 || trimmed.length > MESSAGE_TEXT_MAX || trimmed.includes('\0') || !trimmed.isWellFormed()
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

/** An account as the rules of chat judge it. */
export interface ChatAccount {
  readonly id: string
  readonly role: Role
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

/** True when this account can hold conversations: an admin who is neither frozen nor deleted (rules §7). */
export const canHold = (account: ChatAccount | null): boolean =>
  account !== null && account.role === 'admin' && !account.isFrozen && !account.isDeleted

/** Who may open a conversation with whom: a player with staff, from either side (spec §6). */
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
 * May this account send into the conversation? Only its player and its holder; the player's message needs a holder who
 * is still there (rules §7). To others the conversation does not exist.
 */
export function decideSend(
  senderId: string,
  conversation: { readonly playerId: string; readonly holder: ChatAccount },
): 'CONVERSATION_NOT_FOUND' | 'HOLDER_GONE' | null {
  if (senderId !== conversation.playerId && senderId !== conversation.holder.id) return 'CONVERSATION_NOT_FOUND'
  return canHold(conversation.holder) ? null : 'HOLDER_GONE'
}

/**
 * A change of holder as a compare-and-set (rules §7): staff claim for themselves, and the holder hands over.
 * @param seenHolderId the holder whom the actor saw
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
