import type { ChatMessage, ChatPerson, ChatUser, Conversation, ReadMarker } from './conversation.ts'
import type { PendingMessage, Thread } from './thread.ts'

export type Presence = Pick<ChatUser, 'isOnline' | 'lastSeenAtMs'>

export interface ChatState {
  readonly selfId: string
  readonly threads: Readonly<Record<string, Thread>>
  /** For each deleted conversation, the seq up to which messages are ignored, even if they arrive late. */
  readonly removedThrough: Readonly<Record<string, number>>
  /** For each deleted conversation, the time of the latest change that this client knew of at the deletion. */
  readonly removedAtMs: Readonly<Record<string, number>>
  readonly openKey: string | null
  readonly presence: Readonly<Record<string, Presence>>
}

export type ChatAction =
  | { readonly is: 'conversations-received'; readonly conversations: readonly Conversation[] }
  | { readonly is: 'conversation-removed'; readonly conversationId: string; readonly throughSeq: number | null }
  | {
      readonly is: 'page-loaded'
      readonly conversationId: string
      readonly messages: readonly ChatMessage[]
      readonly hasOlder: boolean
    }
  /** Messages from events, acknowledgements or a sync. The user's own messages confirm pending messages. */
  | { readonly is: 'messages-received'; readonly messages: readonly ChatMessage[] }
  | { readonly is: 'messages-changed'; readonly messages: readonly ChatMessage[] }
  /** `peer`: the other person, for a thread that is not known otherwise, such as that of a deleted conversation. */
  | {
      readonly is: 'message-written'
      readonly key: string
      readonly message: PendingMessage
      readonly peer?: ChatPerson | null
    }
  | { readonly is: 'message-refused'; readonly clientMessageId: string; readonly reason: string }
  | { readonly is: 'message-retried'; readonly clientMessageId: string; readonly newClientMessageId: string }
  | { readonly is: 'message-discarded'; readonly clientMessageId: string }
  | { readonly is: 'markers-received'; readonly markers: readonly ReadMarker[] }
  /** The user's own read marker moved. `counted`: the server's unread count; if absent, loaded messages are counted. */
  | {
      readonly is: 'read-by-self'
      readonly conversationId: string
      readonly readSeq: number
      readonly counted?: { readonly unreadCount: number; readonly throughSeq: number }
    }
  | {
      readonly is: 'typing-started'
      readonly conversationId: string
      readonly userId: string
      readonly username: string
    }
  | { readonly is: 'typing-ended'; readonly conversationId: string; readonly userId: string }
  | ({ readonly is: 'presence-changed'; readonly userId: string } & Presence)
  | { readonly is: 'draft-opened'; readonly peer: ChatUser }
  | { readonly is: 'opened'; readonly key: string }
  | { readonly is: 'closed' }

export const emptyChat = (selfId: string): ChatState => ({
  selfId,
  threads: {},
  removedThrough: {},
  removedAtMs: {},
  openKey: null,
  presence: {},
})
