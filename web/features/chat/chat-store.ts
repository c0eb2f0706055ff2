import type { ChatUser, Quote } from '#domain/chat/conversation.ts'
import { reduceChat } from '#domain/chat/timeline.ts'
import { type ChatAction, type ChatState, emptyChat } from '#domain/chat/chat-state.ts'
import { createSignal } from '#web/platform/signal.ts'
import type { ConnectionState } from '#web/platform/socket.ts'

export type Upload = { readonly previewUrl: string; readonly share: number }

export type Attachment = { readonly file: File; readonly previewUrl: string }

export type ChatSnapshot = {
  readonly chat: ChatState
  readonly users: readonly ChatUser[] | null
  readonly hasConversations: boolean
  /** True if the server has more conversations that wait than are loaded (rules §7.12). */
  readonly isMoreWaiting: boolean
  readonly loadFailure: string | null
  readonly connection: ConnectionState
  /** False until the first connection. Until then a waiting text or an error replaces the chat (spec §2.8). */
  readonly wasConnected: boolean
  readonly connectionProblem: string | null
  /** By `clientMessageId`: the local preview and upload progress of each file that this session sends. */
  readonly uploads: Readonly<Record<string, Upload>>
  /** By thread key: the image or PDF that was chosen and is not sent yet. */
  readonly attached: Readonly<Record<string, Attachment | undefined>>
  /** By thread key: 'loading' while a page of messages loads, or the failure text of the last load. */
  readonly pages: Readonly<Record<string, 'loading' | { readonly failure: string } | undefined>>
  /** The key of the thread in which a text was refused because its admin can't answer any more (`HOLDER_GONE`). */
  readonly unanswered: string | null
  readonly alert: ChatAlert | null
  readonly sought: { readonly key: string; readonly seq: number } | null
  readonly picked: Picked | null
  /** The text for the field of the thread that is opened next, or ''. */
  readonly carried: string
  /** The text of the last call of `carryCase` (opening.ts), even after `carried` was emptied. */
  readonly carriedFrom: string
  /** True once a message is sent from the field into which the text of the last `carryCase` was filled. */
  readonly isCaseSent: boolean
}

export type Picked = {
  readonly is: 'edit' | 'retract' | 'answer'
  readonly key: string
  readonly id: string
  readonly content: string
  readonly quoted: Quote
}

export type ChatAlert = {
  readonly id: number
  readonly text: string
  /** Returns whether the problem is over. If so, the alert closes by itself. */
  readonly isMended: (snapshot: ChatSnapshot) => boolean
}

export type ChatStore = ReturnType<typeof createChatStore>

/** Creates the state of one session. After the session's end the state never changes, even if answers arrive. */
export function createChatStore(userId: string) {
  const changed = createSignal()
  /** By thread key: the edit begun in the thread, with its text so far. Like draft texts, it is not in the snapshot. */
  const edits = new Map<string, Picked & { readonly typed: string }>()
  let isEnded = false
  let alerts = 0
  let snapshot: ChatSnapshot = {
    chat: emptyChat(userId),
    users: null,
    hasConversations: false,
    isMoreWaiting: false,
    loadFailure: null,
    connection: 'connecting',
    wasConnected: false,
    connectionProblem: null,
    uploads: {},
    attached: {},
    pages: {},
    unanswered: null,
    alert: null,
    sought: null,
    picked: null,
    carried: '',
    carriedFrom: '',
    isCaseSent: false,
  }

  const update = (change: Partial<ChatSnapshot>): void => {
    if (isEnded) return
    snapshot = { ...snapshot, ...change }
    if (snapshot.alert?.isMended(snapshot) === true) snapshot = { ...snapshot, alert: null }
    changed.tell()
  }

  return {
    snapshot: () => snapshot,
    update,
    edits,
    dispatch: (action: ChatAction): void => {
      const chat = reduceChat(snapshot.chat, action)
      if (chat !== snapshot.chat) update({ chat })
    },
    subscribe: changed.listen,
    /** Shows the alert "Lỗi!" (spec §2.8). */
    showProblem: (text: string, isMended: ChatAlert['isMended'] = () => false): void => {
      alerts += 1
      update({ alert: { id: alerts, text, isMended } })
    },
    dismissProblem: () => update({ alert: null }),
    isEnded: () => isEnded,
    end: (): void => {
      isEnded = true
    },
  }
}
