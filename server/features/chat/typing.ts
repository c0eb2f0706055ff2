import type { ChatDeps } from './ports.ts'

/** Typing without a stop ends after this long (rules §7): a client that crashed sends no stop. */
const EXPIRES_MS = 15_000

interface Typing {
  readonly peerId: string
  readonly userId: string
  readonly username: string
  readonly conversationId: string
  readonly timer: NodeJS.Timeout
}

export interface TypingKeeper {
  start(socketId: string, typing: Omit<Typing, 'timer'>): void
  stop(socketId: string, conversationId: string): void
  /** The socket disconnected: ends all its typing. */
  stopAll(socketId: string): void
}

/** Remembers which socket is typing in which conversation, so that every start is followed by a stop. */
export function createTyping(hub: ChatDeps['hub']): TypingKeeper {
  const bySocket = new Map<string, Map<string, Typing>>()

  const end = (socketId: string, conversationId: string): void => {
    const own = bySocket.get(socketId)
    const typing = own?.get(conversationId)
    if (own === undefined || typing === undefined) return
    clearTimeout(typing.timer)
    own.delete(conversationId)
    if (own.size === 0) bySocket.delete(socketId)
    const { peerId, userId, username } = typing
    hub.emitTo(`chat:${peerId}`, 'user_stop_typing', { userId, username, conversationId })
  }

  return {
    start(socketId, typing) {
      const own = bySocket.get(socketId) ?? new Map<string, Typing>()
      bySocket.set(socketId, own)
      const before = own.get(typing.conversationId)
      if (before !== undefined) clearTimeout(before.timer)
      const timer = setTimeout(() => end(socketId, typing.conversationId), EXPIRES_MS)
      timer.unref()
      own.set(typing.conversationId, { ...typing, timer })
      if (before !== undefined) return
      const { peerId, userId, username, conversationId } = typing
      hub.emitTo(`chat:${peerId}`, 'user_typing', { userId, username, conversationId })
    },
    stop: end,
    stopAll(socketId) {
      for (const conversationId of bySocket.get(socketId)?.keys() ?? []) end(socketId, conversationId)
    },
  }
}
