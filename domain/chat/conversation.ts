import { storedText } from '../blank.ts'
import { type Decision, refuse } from '../decision.ts'
import type { Desk } from './desk.ts'
import type { FileFacts } from './file.ts'
import type { Capability, Role } from '#domain/identity/permissions.ts'

export interface ChatPerson {
  readonly id: string
  readonly username: string
  readonly avatar: string | null
  readonly role: Role
}

/** The holder that clients see in a conversation that nobody holds (rules §7.13). No user has this id. */
export const CARE_DESK: ChatPerson = {
  id: '00000000-0000-0000-0000-000000000000',
  username: 'CSKH',
  avatar: null,
  role: 'admin',
}

/** A person with presence (rules §7.6). */
export interface ChatUser extends ChatPerson {
  readonly isOnline: boolean
  readonly lastSeenAtMs: number | null
}

export type MessageKind = 'text' | 'image'

/** The size in pixels, so that a client can reserve the space before the image has loaded. `thumbhash`: base64. */
export interface ImageFacts {
  readonly width: number
  readonly height: number
  readonly thumbhash: string
}

export interface Quote {
  readonly seq: number
  readonly username: string
  readonly kind: MessageKind | 'retracted'
  readonly text: string
}

/** `seq` is the message's position in its conversation, counted from 1 without gaps. */
export interface ChatMessage {
  readonly id: string
  readonly conversationId: string
  readonly seq: number
  readonly sender: ChatPerson
  /** Made by the sender's client, and unique among the sender's messages (rules §7.2). */
  readonly clientMessageId: string
  readonly kind: MessageKind
  readonly content: string
  readonly image: ImageFacts | null
  readonly file?: FileFacts
  /** The dispute whose opening or answer this message shows. Only the server can set this field (rules §9.1). */
  readonly disputeId?: string
  readonly quoted?: Quote
  readonly isRetracted?: boolean
  readonly editedAtMs?: number
  readonly sentAtMs: number
  readonly createdAtMs: number
  readonly updatedAtMs: number
  /** The sender and all who had read the message when the server sent it. Later reads arrive as read markers. */
  readonly readerIds: readonly string[]
}

export interface ReadMarker {
  readonly conversationId: string
  readonly userId: string
  readonly readSeq: number
}

export interface Conversation {
  readonly id: string
  readonly participants: readonly [player: ChatUser, holder: ChatUser]
  readonly lastMessage: ChatMessage | null
  readonly lastSeq: number
  readonly lastActivityAtMs: number
  readonly createdAtMs: number
  readonly updatedAtMs: number
  /** False while the holder is frozen, demoted, deleted or without `care`: a message is refused (HOLDER_GONE). */
  readonly isActive: boolean
  /** The server's count of unread messages, as of `lastSeq` (rules §7.4). */
  readonly unreadCount: number
  readonly readSeq: number
  readonly peerReadSeq: number
  /**
   * The seq up to which the user who gets this object deleted the conversation; -1 if they never did. Staff get 0 if a
   * change of holder brought back what they had deleted (rules §7.6).
   */
  readonly hiddenThroughSeq: number
  /** Ids of the conversations that were merged into this one. Calls may still use them. Absent if there are none. */
  readonly mergedFrom?: readonly string[]
  readonly desk?: Desk
}

export const isUnheld = ({ participants }: Pick<Conversation, 'participants'>): boolean =>
  participants[1].id === CARE_DESK.id

export const MESSAGE_TEXT_MAX = 4_000

export const cleanText = (text: string): string | null => storedText(text.trim(), MESSAGE_TEXT_MAX)

export interface ChatAccount {
  readonly id: string
  readonly role: Role
  readonly capabilities: readonly Capability[]
  readonly isFrozen: boolean
  readonly isDeleted: boolean
}

export const canHold = (account: ChatAccount | null): boolean =>
  account !== null &&
  account.role === 'admin' &&
  account.capabilities.includes('care') &&
  !account.isFrozen &&
  !account.isDeleted

export function decideOpen(
  self: ChatAccount,
  other: ChatAccount | null,
): Decision<{ playerId: string; holderId: string }, 'CHAT_NOT_ALLOWED' | 'HOLDER_GONE'> {
  if (other === null || other.id === self.id) return refuse('CHAT_NOT_ALLOWED')
  if (self.role === 'player') {
    if (canHold(other)) return { ok: true, playerId: self.id, holderId: other.id }
    return refuse(other.role === 'admin' ? 'HOLDER_GONE' : 'CHAT_NOT_ALLOWED')
  }
  if (other.role === 'admin' || other.isDeleted) return refuse('CHAT_NOT_ALLOWED')
  return { ok: true, playerId: other.id, holderId: self.id }
}

/**
 * Decides whether somebody may send to a conversation: its player, its holder or, if nobody holds it, an admin. If the
 * holder may no longer hold conversations, nobody may send (rules §7.1, §7.13).
 */
export function decideSend(
  sender: Pick<ChatAccount, 'id' | 'role'>,
  conversation: { readonly playerId: string; readonly holder: ChatAccount | null },
): 'CONVERSATION_NOT_FOUND' | 'HOLDER_GONE' | 'HOLDER_CHANGED' | null {
  const { playerId, holder } = conversation
  if (sender.id !== playerId && sender.id !== holder?.id) {
    if (sender.role !== 'admin') return 'CONVERSATION_NOT_FOUND'
    return holder === null ? null : 'HOLDER_CHANGED'
  }
  return holder === null || canHold(holder) ? null : 'HOLDER_GONE'
}

/**
 * Decides a claim or a hand-over as a compare-and-set on the holder (rules §7.1). `CARE_DESK` stands for no holder.
 * @param seenHolderId the holder that the actor saw
 */
export function decideHolderChange(
  actorId: string,
  conversation: { readonly holderId: string; readonly playerId: string },
  seenHolderId: string,
  next: ChatAccount | typeof CARE_DESK | null,
): 'HOLDER_CHANGED' | 'HOLDER_GONE' | 'NOT_YOURSELF' | 'FORBIDDEN' | null {
  if (conversation.holderId !== seenHolderId) return 'HOLDER_CHANGED'
  // The player may be an admin by now, but must not hold their own conversation.
  if (next?.id === conversation.playerId) return next.id === actorId ? 'NOT_YOURSELF' : 'HOLDER_GONE'
  if (next === null || ('isFrozen' in next && !canHold(next))) return 'HOLDER_GONE'
  return next.id === actorId || conversation.holderId === actorId ? null : 'FORBIDDEN'
}
