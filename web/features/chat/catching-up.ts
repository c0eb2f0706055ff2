import { MISSED_CONVERSATIONS_MAX } from '#contract/chat.ts'
import type { ChatMessage, Conversation } from '#domain/chat/conversation.ts'
import { hasHole, isDraft, syncPoints } from '#domain/chat/timeline.ts'
import { ApiError } from '#web/platform/http.ts'
import { isRetryable } from '#web/platform/query-client.ts'
import { type ChatDeps, retryMs } from './chat-deps.ts'
import type { ChatStore } from './chat-store.ts'

/** A message that came out of order is given this long to be followed by the missing one. */
const holeMs = 400

/** Takes rows of the server over into the session, whichever way they came. */
export type Receive = {
  readonly conversations: (list: readonly Conversation[]) => void
  readonly messages: (list: readonly ChatMessage[]) => void
}

/** Fetches what the socket did not bring: after a reconnect, and where a message is missing (rules §7). */
export function createCatchingUp(
  { api, clock, socket }: Pick<ChatDeps, 'api' | 'clock' | 'socket'>,
  store: ChatStore,
  receive: Receive,
) {
  let syncing: Promise<void> | undefined
  let isWanted = false
  let isHoleTimed = false

  /** Fetches everything that is missing from these conversations on, by the last complete seq of each. */
  async function fetchMissed(ids: ReadonlySet<string>): Promise<void> {
    for (let hasMore = true; hasMore;) {
      const known = syncPoints(store.snapshot().chat).filter(({ conversationId }) => ids.has(conversationId))
      const missed = await api.loadMissed(known)
      if (store.isEnded()) return
      receive.conversations(missed.conversations)
      receive.messages(missed.messages)
      store.dispatch({ is: 'markers-received', markers: missed.markers })
      for (const conversationId of missed.gone) {
        const throughSeq = store.snapshot().chat.threads[conversationId]?.lastSeq ?? 0
        store.dispatch({ is: 'conversation-removed', conversationId, throughSeq })
      }
      ;({ hasMore } = missed)
    }
  }

  async function syncWhileWanted(): Promise<void> {
    while (isWanted && !store.isEnded()) {
      isWanted = false
      const ids = syncPoints(store.snapshot().chat).map(({ conversationId }) => conversationId)
      try {
        for (let at = 0; at === 0 || at < ids.length; at += MISSED_CONVERSATIONS_MAX)
          await fetchMissed(new Set(ids.slice(at, at + MISSED_CONVERSATIONS_MAX)))
      } catch (error) {
        const waitMs = error instanceof ApiError ? error.retryAfterMs : undefined
        // Without a connection the next one asks again.
        if (waitMs === undefined && !isRetryable(error)) return
        clock.after(waitMs ?? retryMs, () => void (socket.connectionState() === 'connected' && sync()))
      }
    }
  }

  /**
   * Asks for everything missed in all conversations. One at a time; a call while one is under way lets it ask again, since
   * its answer may be older than what the caller has missed. Settles when the server answered, or failed to.
   */
  function sync(): Promise<void> {
    isWanted = true
    syncing ??= syncWhileWanted().finally(() => {
      syncing = undefined
    })
    return syncing
  }

  const isIncomplete = (): boolean =>
    Object.values(store.snapshot().chat.threads).some(
      (thread) => hasHole(thread) || (thread.conversation === null && thread.messages.length > 0 && !isDraft(thread)),
    )

  return {
    sync,
    /** Messages came by the socket or with a page: asks for those missing between them, unless they follow in a moment. */
    checkForHoles: (): void => {
      if (isHoleTimed || !isIncomplete()) return
      isHoleTimed = true
      clock.after(holeMs, () => {
        isHoleTimed = false
        if (isIncomplete()) void sync()
      })
    },
  }
}
