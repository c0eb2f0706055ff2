import { type ChatDeps, isTransient, pause, retryMs } from './chat-deps.ts'
import type { ChatStore } from './chat-store.ts'

type Marker = { readonly seq: number; readonly messageId: string }

/**
 * Moves the own read markers forward: at once here, and on the server by sending the newest one until it is acknowledged
 * (rules §7). One at a time for each conversation, so that none overtakes another.
 */
export function createReading({ self, socket, clock }: Pick<ChatDeps, 'self' | 'socket' | 'clock'>, store: ChatStore) {
  /** By conversation, the newest marker that the server has not acknowledged. */
  const unacknowledged = new Map<string, Marker>()
  const sending = new Set<string>()

  const nextOf = (conversationId: string): Marker | undefined =>
    store.isEnded() || socket.connectionState() !== 'connected' ? undefined : unacknowledged.get(conversationId)

  async function send(conversationId: string): Promise<void> {
    if (sending.has(conversationId)) return
    sending.add(conversationId)
    for (let marker = nextOf(conversationId); marker !== undefined; marker = nextOf(conversationId)) {
      const answer = await socket.askServer('mark_as_read', { conversationId, messageId: marker.messageId })
      if (!answer.ok && isTransient(answer.code)) {
        // Without a connection it is sent with the next one.
        if (socket.connectionState() === 'connected') await pause(clock, answer.retryAfterMs ?? retryMs)
      } else if (unacknowledged.get(conversationId) === marker) unacknowledged.delete(conversationId)
    }
    sending.delete(conversationId)
  }

  return {
    /** A row of the other person has been on screen in a visible tab: everything up to it is read. */
    markRead: (key: string, seq: number): void => {
      const thread = store.snapshot().chat.threads[key]
      if (thread === undefined || seq <= (thread.markers[self.id] ?? 0)) return
      const message = thread.messages.find((one) => one.seq === seq)
      if (message === undefined) return
      store.dispatch({ is: 'read-by-self', conversationId: key, readSeq: seq })
      unacknowledged.set(key, { seq, messageId: message.id })
      void send(key)
    },
    /** The connection is back: sends what it had not acknowledged. */
    resume: (): void => {
      for (const conversationId of unacknowledged.keys()) void send(conversationId)
    },
  }
}
