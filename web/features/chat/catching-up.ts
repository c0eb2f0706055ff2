import type { ChatMessage, Conversation } from '#domain/chat/conversation.ts'
import { hasHole, isDraft, type Thread } from '#domain/chat/thread.ts'
import { syncPoints } from '#domain/chat/timeline.ts'
import { isRetryable, refusalOf } from '#web/platform/http.ts'
import { type ChatDeps, isConnected, retryMs } from './chat-deps.ts'
import type { ChatStore } from './chat-store.ts'

/** The wait before missing messages are fetched, since they may still arrive by the socket. */
const holeMs = 400

/** Maximum number of conversations that one call to `loadMissed` names. */
const namedAtOnce = 100

const isIncomplete = (thread: Thread): boolean =>
  hasHole(thread) || (thread.conversation === null && thread.messages.length > 0 && !isDraft(thread))

/**
 * Removes conversations that this user no longer has: those deleted elsewhere, but for what is not sent there (rules
 * §7.6), and those that a colleague took, except the open one (rules §7.1).
 */
async function removeGone(
  { api, self }: Pick<ChatDeps, 'api' | 'self'>,
  store: ChatStore,
  receiveConversations: (list: readonly Conversation[]) => void,
  gone: readonly string[],
): Promise<void> {
  for (const conversationId of gone) {
    const { openKey, threads } = store.snapshot().chat
    const { conversation, pending = [] } = threads[conversationId] ?? {}
    // Only staff can lose a conversation to a colleague, and only staff's conversations have a `desk`.
    const mayStay = pending.length > 0 || (openKey === conversationId && conversation?.desk !== undefined)
    const now = mayStay ? await api.loadConversation(conversationId) : null
    const isTaken = now?.participants.some(({ id }) => id === self.id) === false
    // A message that came since the answer may have brought it back.
    if (now !== null && (isTaken || now.lastSeq > now.hiddenThroughSeq)) receiveConversations([now])
    // If `throughSeq`, up to which messages stay hidden, is not known here, the server sends it with what comes later.
    else store.dispatch({ is: 'conversation-removed', conversationId, throughSeq: now?.hiddenThroughSeq ?? null })
  }
}

/** Fetches messages and changes that the socket did not deliver, for example after a reconnect (rules §7.2). */
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
        // Does not retry without a connection: a new connection starts `sync` or loads the list anyway.
        clock.after(waitMs ?? retryMs, () => void (isConnected(socket) && sync()))
      }
    }
  }

  /** Fetches the missed messages of all conversations. A call during a run causes one more run after that one. */
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
    /** Fetches messages that are still missing after `holeMs`. Called after the socket or a page brought messages. */
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
