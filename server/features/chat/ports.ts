import type { ChatMessage } from '#domain/chat/conversation.ts'
import type { Database } from '#server/platform/database/db.ts'
import type { Logger } from '#server/platform/process/log.ts'
import type { RateLimits } from '#server/platform/http/rate-limits.ts'
import type { SocketHub } from '#server/platform/sockets/socket-hub.ts'
import type { Limit } from '#server/platform/http/token-bucket.ts'

export interface ChatDeps {
  readonly db: Database
  readonly hub: Pick<SocketHub, 'emitTo' | 'onEvent' | 'watch'>
  readonly log: Logger
  readonly limits: RateLimits
}

export interface QueueDeps extends Pick<ChatDeps, 'db' | 'log'> {
  readonly hub: ChatDeps['hub'] & Pick<SocketHub, 'emitHere'>
}

export interface ChatContext extends Pick<ChatDeps, 'db' | 'hub' | 'log'> {
  readonly outbox: Outbox
  readonly queue: Queue
  readonly sendLimit: Limit
}

export interface Queue {
  assign(): void
  /** Stores that this admin is active now, at most once a minute. Does nothing for an admin who is not on duty. */
  noteAct(userId: string): void
  /** Emits whether an admin is on duty, and calls `assign`. To be called when a duty is set or an absence ends. */
  emitDuty(): void
}

export interface Outbox {
  /**
   * Emits a stored message or change, and removes its row from the outbox. Must be called after the commit. Returns
   * null if emitting failed and is left to a sweep, or if a newer change has replaced this one.
   */
  emit(entry: OutboxEntry): Promise<ChatMessage | null>
}

export interface Sides {
  readonly playerId: string
  /** Null while nobody holds the conversation. */
  readonly holderId: string | null
}

export interface OutboxEntry {
  /** The id of a message, or of a change of a message. */
  readonly messageId: string
  /** True for the first message of a conversation: both sides then get the conversation before the message. */
  readonly isFirst: boolean
  /** The sending socket, which gets `message_sent` instead of `receive_message`; null if there is none. */
  readonly senderSocketId: string | null
}
