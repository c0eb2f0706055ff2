import { standingOf } from '#domain/chat/thread.ts'
import { type ChatDeps, isConnected, isTransient, pause, retryMs } from './chat-deps.ts'
import type { ChatStore } from './chat-store.ts'

type Marker = { readonly seq: number; readonly messageId: string }

/** Advances the user's own read markers (rules §7.4). The markers of one conversation are sent one by one. */
export function createReading({ self, socket, clock }: Pick<ChatDeps, 'self' | 'socket' | 'clock'>, store: ChatStore) {
  /** For each conversation id, the newest read marker that the server has not acknowledged. */
  const unacknowledged = new Map<string, Marker>()
  const sending = new Set<string>()
  /** For each unclaimed conversation, the highest seq seen, for `markRead` once the conversation is claimed. */
  const seenUnheld = new Map<string, number>()

  const nextOf = (conversationId: string): Marker | undefined =>
    store.isEnded() || !isConnected(socket) ? undefined : unacknowledged.get(conversationId)

  async function send(conversationId: string): Promise<void> {
    if (sending.has(conversationId)) return
    sending.add(conversationId)
    for (let marker = nextOf(conversationId); marker !== undefined; marker = nextOf(conversationId)) {
      const answer = await socket.askServer('mark_as_read', { conversationId, messageId: marker.messageId })
      if (!answer.ok && isTransient(answer.code)) {
        // Without a connection the marker is sent after the next reconnect.
        if (isConnected(socket)) await pause(clock, answer.retryAfterMs ?? retryMs)
      } else if (unacknowledged.get(conversationId) === marker) unacknowledged.delete(conversationId)
    }
    sending.delete(conversationId)
  }

  function markRead(key: string, seq: number): void {
    const thread = store.snapshot().chat.threads[key]
    if (thread === undefined || seq <= (thread.markers[self.id] ?? 0)) return
    const standing = standingOf(thread, self.id)
    if (standing === 'unheld') seenUnheld.set(key, Math.max(seq, seenUnheld.get(key) ?? 0))
    const message = thread.messages.find((one) => one.seq === seq)
    if (standing !== 'own' || message === undefined) return
    store.dispatch({ is: 'read-by-self', conversationId: key, readSeq: seq })
    unacknowledged.set(key, { seq, messageId: message.id })
    void send(key)
  }

  return {
    markRead,
    followHolders(): void {
      for (const [key, seq] of seenUnheld) {
        const thread = store.snapshot().chat.threads[key]
        if (thread !== undefined && standingOf(thread, self.id) === 'unheld') continue
        seenUnheld.delete(key)
        markRead(key, seq)
      }
    },
    resume: (): void => {
      for (const conversationId of unacknowledged.keys()) void send(conversationId)
    },
  }
}
