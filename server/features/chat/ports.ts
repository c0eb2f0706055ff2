import type { ChatMessage } from '#domain/chat/conversation.ts'
import type { Database } from '#server/platform/db.ts'
import type { Logger } from '#server/platform/log.ts'
import type { RateLimits } from '#server/platform/rate-limits.ts'
import type { SocketHub } from '#server/platform/socket-hub.ts'
import type { Bucket } from '#server/platform/token-bucket.ts'

export interface ChatDeps {
  readonly db: Database
  readonly hub: Pick<SocketHub, 'emitTo' | 'onEvent' | 'watch'>
  readonly log: Logger
  readonly limits: RateLimits
  /** Multiplies the limit on messages (RATE_LIMIT_FACTOR). */
  readonly rateLimitFactor: number
}

/** What commands need: the deps with the parts that live as long as the server. */
export interface ChatContext extends Pick<ChatDeps, 'db' | 'hub' | 'log'> {
  readonly outbox: Outbox
  readonly sendLimit: Bucket
}

/** Stored messages of which the sockets have not heard yet (see outbox.ts). */
export interface Outbox {
  /**
   * Emits a stored message and takes it out of the outbox, after the commit. Resolves with the message, or with null when
   * it could not be emitted now and a later sweep will do it.
   */
  emit(entry: OutboxEntry): Promise<ChatMessage | null>
}

export interface OutboxEntry {
  readonly messageId: string
  /** The first of its conversation, which both sides are given with it. */
  readonly isFirst: boolean
  /** It gets `message_sent` instead of `receive_message`; null where nobody knows which socket it was. */
  readonly senderSocketId: string | null
}
