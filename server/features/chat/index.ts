/**
 * Chat: customer care between a player and an admin. Owns conversations, conversations_waiting, messages,
 * message_changes, conversation_members, conversation_notes, conversation_mentions, conversation_tags,
 * merged_conversations, care_cases, care_days, care_days_changed, chat_outbox, canned_replies, care_duty, care_hours,
 * presence_processes, presence_users and presence_last_seen. Emits the chat events of spec §7.
 */
import type { Api } from '#server/platform/http/http.ts'
import { logging, repeating } from '#server/platform/process/jobs.ts'
import { packDays } from './care-days.ts'
import { registerCareRoutes } from './care-routes.ts'
import { registerChatEvents } from './events.ts'
import { startOutbox } from './outbox.ts'
import type { ChatDeps, OutboxEntry, QueueDeps } from './ports.ts'
import { startPresence } from './presence.ts'
import { startQueue } from './queue.ts'
import { registerChatRoutes } from './routes.ts'

export { readHours } from './hours.ts'
export { openCareConversation } from './open-conversation.ts'
export { storeServerMessage } from './store-message.ts'

/** Limit of one user's messages and changes of messages. */
const BURST = 10
const PER_S = 5

/** Changed days are packed at this interval. Until a day is packed, the report reads its cases from care_cases. */
const PACK_EVERY_MS = 30_000

export function registerChat(api: Api, deps: ChatDeps & QueueDeps) {
  const { db, hub, log, limits } = deps
  const queue = startQueue({ db, hub, log })
  const outbox = startOutbox({ db, hub, log, onQueued: () => queue.assign() })
  const sendLimit = limits.bucket('chat', BURST, PER_S)
  const context = { db, hub, log, outbox, queue, sendLimit }
  registerChatEvents(context)
  registerChatRoutes(api, context)
  registerCareRoutes(api, deps)
  const presence = startPresence({ db, hub, log })
  const stopPacking = repeating(
    PACK_EVERY_MS,
    (signal) => packDays(db, signal),
    logging(log, 'Days of customer care could not be packed'),
    { isAtOnce: true },
  )
  return {
    /** Emits, to both sides, a message that `storeServerMessage` stored. Must be called after the commit. */
    emitMessage: (stored: Omit<OutboxEntry, 'senderSocketId'>) => void outbox.emit({ ...stored, senderSocketId: null }),
    async stop() {
      await stopPacking()
      await presence.stop()
      await outbox.stop()
      await queue.stop()
    },
  }
}
