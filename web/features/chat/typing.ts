import type { ServerEvent } from '#contract/events.ts'
import { isDraft } from '#domain/chat/thread.ts'
import { type ChatDeps, isConnected } from './chat-deps.ts'
import type { ChatStore } from './chat-store.ts'

/** Typing ends after this time without a key press (spec §9.4). */
const idleMs = 3_000
/** `typing_start` is repeated at this interval, since the server ends typing 15 s after the last one (rules §7.18). */
const repeatMs = 10_000
/** The other side's typing ends this long after its last event, since the event that ends it may be lost. */
const forgottenAfterMs = 16_000

/**
 * Tells the server when the user starts, continues and stops typing. Typing ends `idleMs` after the last key, or at
 * `stop` (spec §4.10).
 */
export function createTyping({ socket, clock }: Pick<ChatDeps, 'socket' | 'clock'>, store: ChatStore) {
  let typingIn: string | null = null
  let saidMs = 0
  let cancelIdle = (): void => {}
  /** By conversation and user: cancels the end of the other side's typing. */
  const cancelEnds = new Map<string, () => void>()

  const stop = (): void => {
    cancelIdle()
    if (typingIn !== null) void socket.askServer('typing_stop', { conversationId: typingIn })
    typingIn = null
  }

  return {
    stop,
    note: (key: string): void => {
      const thread = store.snapshot().chat.threads[key]
      if (thread === undefined || isDraft(thread) || !isConnected(socket)) return
      if (typingIn !== key) stop()
      if (typingIn !== key || clock.nowMs() - saidMs >= repeatMs) {
        typingIn = key
        saidMs = clock.nowMs()
        void socket.askServer('typing_start', { conversationId: key })
      }
      cancelIdle()
      cancelIdle = clock.after(idleMs, stop)
    },
    show: (who: ServerEvent<'user_typing'>): void => {
      const key = `${who.conversationId} ${who.userId}`
      cancelEnds.get(key)?.()
      cancelEnds.set(
        key,
        clock.after(forgottenAfterMs, () => store.dispatch({ is: 'typing-ended', ...who })),
      )
      store.dispatch({ is: 'typing-started', ...who })
    },
    /** Forgets the typing without an event, because the server ends the typing when the connection is lost. */
    forget: (): void => {
      cancelIdle()
      typingIn = null
    },
  }
}
