import type { ChatUser } from '#domain/chat/conversation.ts'
import { type ChatAction, type ChatState, emptyChat, reduceChat } from '#domain/chat/timeline.ts'
import type { ConnectionState } from '#web/platform/socket.ts'

/** An image on its way: drawn from this device until the server has it. */
export type Upload = { readonly previewUrl: string; readonly share: number }

export type ChatSnapshot = {
  readonly chat: ChatState
  /** Null until they were loaded. */
  readonly users: readonly ChatUser[] | null
  readonly hasConversations: boolean
  /** Why the first load failed. */
  readonly loadFailure: string | null
  readonly connection: ConnectionState
  /** False until the first connection: until then the whole screen says that it connects (spec §2). */
  readonly wasConnected: boolean
  readonly connectionProblem: string | null
  /** Images by their clientMessageId. */
  readonly uploads: Readonly<Record<string, Upload>>
  /** Threads whose page is being loaded, and why the last try failed. */
  readonly pages: Readonly<Record<string, 'loading' | { readonly failure: string } | undefined>>
  /** A text that was refused because the holder of its thread is gone: to be sent to another admin. */
  readonly unanswered: { readonly key: string; readonly text: string } | null
  readonly alert: { readonly id: number; readonly text: string } | null
}

export type ChatStore = ReturnType<typeof createChatStore>

/** The state of one session and who listens to it. Once ended it changes no more, whatever is still under way. */
export function createChatStore(userId: string) {
  const listeners = new Set<() => void>()
  let isEnded = false
  let alerts = 0
  let snapshot: ChatSnapshot = {
    chat: emptyChat(userId),
    users: null,
    hasConversations: false,
    loadFailure: null,
    connection: 'connecting',
    wasConnected: false,
    connectionProblem: null,
    uploads: {},
    pages: {},
    unanswered: null,
    alert: null,
  }

  const update = (change: Partial<ChatSnapshot>): void => {
    if (isEnded) return
    snapshot = { ...snapshot, ...change }
    for (const listener of [...listeners]) listener()
  }

  return {
    snapshot: () => snapshot,
    update,
    dispatch: (action: ChatAction): void => {
      const chat = reduceChat(snapshot.chat, action)
      if (chat !== snapshot.chat) update({ chat })
    },
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** Shows "Lỗi!" at the bottom right (spec §2). */
    showProblem: (text: string): void => {
      alerts += 1
      update({ alert: { id: alerts, text } })
    },
    dismissProblem: () => update({ alert: null }),
    isEnded: () => isEnded,
    end: (): void => {
      isEnded = true
      listeners.clear()
    },
  }
}
