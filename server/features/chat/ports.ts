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

/** Tells messages that are stored (see outbox.ts). */
export interface Outbox {
  /** Called after the commit: tells the message and takes it out of the outbox. Null when it could not be told yet. */
  tell(messageId: string, isFirst: boolean): Promise<ChatMessage | null>
}
