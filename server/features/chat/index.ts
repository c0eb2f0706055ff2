/**
 * Chat: customer care between a player and an admin. Owns conversations, conversations_waiting, messages, conversation_members, chat_outbox, canned_replies,
 * presence_processes, presence_users and presence_last_seen. Emits the chat events of spec §7 to the user rooms.
 */
import type { Api } from '#server/platform/http/http.ts'
import { logging } from '#server/platform/process/jobs.ts'
import { registerChatEvents } from './events.ts'
import { fillWaiting } from './fill-waiting.ts'
import { startOutbox } from './outbox.ts'
import type { ChatDeps } from './ports.ts'
import { startPresence } from './presence.ts'
import { registerChatRoutes } from './routes.ts'

export { openCareConversation, storeServerMessage } from './store-message.ts'

/** 5 messages per second with bursts of 10 (rules §7). */
const BURST = 10
const PER_S = 5

export interface Chat {
  /** Tells both sides of a message that was stored by `storeServerMessage`, after its commit. */
  readonly tellMessage: (stored: { readonly messageId: string; readonly isFirst: boolean }) => void
  stop(): Promise<void>
}

/** Registers the routes and events of chat, and starts its outbox and presence. `stop` ends both. */
export function registerChat(api: Api, deps: ChatDeps): Chat {
  const { db, hub, log, limits, rateLimitFactor } = deps
  const outbox = startOutbox({ db, hub, log })
  const sendLimit = limits.bucket('chat', Math.max(1, Math.round(BURST * rateLimitFactor)), PER_S * rateLimitFactor)
  const context = { db, hub, log, outbox, sendLimit }
  registerChatEvents(context)
  registerChatRoutes(api, context)
  const presence = startPresence({ db, hub, log })
  const filled = fillWaiting(db).catch(logging(log, 'Conversations that wait could not be noted'))
  return {
    tellMessage: ({ messageId, isFirst }) => void outbox.emit({ messageId, isFirst, senderSocketId: null }),
    async stop() {
      await filled
      await presence.stop()
      await outbox.stop()
    },
  }
}
