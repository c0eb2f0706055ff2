import type { ChatMessage, Conversation } from '#domain/chat/conversation.ts'
import { hasHole, isDraft, type Thread } from '#domain/chat/thread.ts'
import { syncPoints } from '#domain/chat/timeline.ts'
import { refusalOf } from '#web/platform/http.ts'
import { isRetryable } from '#web/platform/query-client.ts'
import { type ChatDeps, isConnected, retryMs } from './chat-deps.ts'
import type { ChatStore } from './chat-store.ts'

/** After a message that leaves a gap, the missing message gets this long to arrive by the socket. */
const holeMs = 400

/** The number of conversations in one call. The server accepts more, but a longer call would keep it from serving others. */
const namedAtOnce = 100

const isIncomplete = (thread: Thread): boolean =>
  hasHole(thread) || (thread.conversation === null && thread.messages.length > 0 && !isDraft(thread))

/** Fetches messages that the socket did not deliver: after a reconnect, and where a seq is missing (rules §7). */
export function createCatchingUp(
  { api, clock, socket }: Pick<ChatDeps, 'api' | 'clock' | 'socket'>,
  store: ChatStore,
  receiveConversations: (list: readonly Conversation[]) => void,
  receiveMessages: (list: readonly ChatMessage[]) => void,
) {
  let syncing: Promise<void> | undefined
  let isWanted = false
  let isHoleTimed = false

  async function fetchMissed(ids: ReadonlySet<string>): Promise<void> {
    for (let hasMore = true; hasMore;) {
      const known = syncPoints(store.snapshot().chat).filter(({ conversationId }) => ids.has(conversationId))
      const missed = await api.loadMissed(known)
      if (store.isEnded()) return
      receiveConversations(missed.conversations)
      receiveMessages(missed.messages)
      store.dispatch({ is: 'messages-changed', messages: missed.changed ?? [] })
      store.dispatch({ is: 'markers-received', markers: missed.markers })
      // Deleted on another device, or taken by a colleague. Should it return, the server says from which message on.
      for (const conversationId of missed.gone)
        store.dispatch({ is: 'conversation-removed', conversationId, throughSeq: null })
      ;({ hasMore } = missed)
    }
  }

  async function syncWhileWanted(): Promise<void> {
    while (isWanted && !store.isEnded()) {
      isWanted = false
      const ids = syncPoints(store.snapshot().chat).map(({ conversationId }) => conversationId)
      try {
        for (let at = 0; at === 0 || at < ids.length; at += namedAtOnce)
          await fetchMissed(new Set(ids.slice(at, at + namedAtOnce)))
      } catch (error) {
        const waitMs = refusalOf(error)?.retryAfterMs
        // Without a connection the retries stop. The next connection starts them again.
        if (waitMs === undefined && !isRetryable(error)) return
        clock.after(waitMs ?? retryMs, () => void (isConnected(socket) && sync()))
      }
    }
  }

  /**
   * Fetches the missed messages of all conversations. The promise resolves once the server has answered or the call failed. A call during
   * another one makes it run once more, since its answer may be older than the messages that the caller misses.
   */
  function sync(): Promise<void> {
    isWanted = true
    syncing ??= syncWhileWanted().finally(() => {
      syncing = undefined
    })
    return syncing
  }

  const isAnyIncomplete = (): boolean => Object.values(store.snapshot().chat.threads).some(isIncomplete)

  return {
    sync,
    /** Call this after messages arrived by the socket or in a page. It fetches missing messages if they do not arrive soon. */
    checkForHoles: (): void => {
      if (isHoleTimed || !isAnyIncomplete()) return
      isHoleTimed = true
      clock.after(holeMs, () => {
        isHoleTimed = false
        if (isAnyIncomplete()) void sync()
      })
    },
  }
}
