import type { ChatMessage, Conversation } from '#domain/chat/conversation.ts'
import { hasHole, isDraft, type Thread } from '#domain/chat/thread.ts'
import { syncPoints } from '#domain/chat/timeline.ts'
import { refusalOf } from '#web/platform/http.ts'
import { isRetryable } from '#web/platform/query-client.ts'
import { type ChatDeps, isConnected, retryMs } from './chat-deps.ts'
import type { ChatStore } from './chat-store.ts'

/** If a message arrives before an earlier one, the earlier one has this long to arrive by the socket. */
const holeMs = 400

/** The most conversations in one call. The server accepts more, but a longer call would delay other work there. */
const namedAtOnce = 100

const isIncomplete = (thread: Thread): boolean =>
  hasHole(thread) || (thread.conversation === null && thread.messages.length > 0 && !isDraft(thread))

/**
 * Removes the conversations that the user deleted on another device, or that were merged, or that a colleague took. One
 * that a colleague took stays while it is open, under the name of its new holder (rules §7.1).
 */
async function removeGone(
  { api, self }: Pick<ChatDeps, 'api' | 'self'>,
  store: ChatStore,
  receiveConversations: (list: readonly Conversation[]) => void,
  gone: readonly string[],
): Promise<void> {
  for (const conversationId of gone) {
    const { openKey, threads } = store.snapshot().chat
    // Only the conversations of staff have a desk.
    const mayBeTaken = openKey === conversationId && threads[conversationId]?.conversation?.desk !== undefined
    const now = mayBeTaken ? await api.loadConversation(conversationId) : null
    if (now?.participants.some(({ id }) => id === self.id) === false) receiveConversations([now])
    // `throughSeq` is null because the server sends `hiddenThroughSeq` with a conversation that comes back.
    else store.dispatch({ is: 'conversation-removed', conversationId, throughSeq: null })
  }
}

/** Fetches messages and changes that the socket did not deliver, as after a reconnect or a gap in seq (rules §7). */
export function createCatchingUp(
  { api, clock, self, socket }: Pick<ChatDeps, 'api' | 'clock' | 'self' | 'socket'>,
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
      await removeGone({ api, self }, store, receiveConversations, missed.gone)
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
        if (waitMs === undefined && !isRetryable(error)) return
        // Without a connection nothing is retried, because the next connection calls `sync`.
        clock.after(waitMs ?? retryMs, () => void (isConnected(socket) && sync()))
      }
    }
  }

  /**
   * Fetches the missed messages of all conversations. The promise resolves when they have arrived or a request failed.
   * If `sync` is called while it runs, it runs once more, since the answer under way may be too old for the new caller.
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
