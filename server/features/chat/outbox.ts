import type { ChatMessage } from '#domain/chat/conversation.ts'
import type { Database } from '#server/platform/database/db.ts'
import { logging, repeating } from '#server/platform/process/jobs.ts'
import type { Logger } from '#server/platform/process/log.ts'
import type { ChatDeps, Outbox, OutboxEntry } from './ports.ts'
import { readToEmit, type StoredMessage } from './message-queries.ts'
import { readConversation } from './queries.ts'

const SWEEP_EVERY_MS = 1_000
const SWEEP_AT_MOST = 500

/**
 * Emits stored messages to the sockets of both sides, after the commit. The process that stored a message emits it at
 * once, in one batch with others stored meanwhile. Messages that a killed process left behind are emitted within some
 * seconds by another process's sweep. A message is emitted at least once: receivers recognise a repeat by its seq.
 */
export function startOutbox({ db, hub, log }: Pick<ChatDeps, 'db' | 'hub'> & { log: Logger }): Outbox & {
  stop(): Promise<void>
} {
  const waiting: Array<OutboxEntry & { readonly done: (emitted: ChatMessage | null) => void }> = []
  let flushing: Promise<void> | null = null

  async function emitAll(entries: readonly OutboxEntry[]): Promise<Map<string, ChatMessage>> {
    const byId = new Map(entries.map((entry) => [entry.messageId, entry]))
    const stored = await readToEmit(db, [...byId.keys()])
    for (const one of stored) {
      const { message, playerId, holderId } = one
      const entry = byId.get(message.id)
      if (entry?.isFirst === true) await emitConversation(db, hub, one)
      const rooms = [`chat:${playerId}` as const, `chat:${holderId}` as const]
      hub.emitTo(rooms, 'receive_message', message, entry?.senderSocketId ?? undefined)
    }
    await db.query(`delete from chat_outbox where message_id = any($1::uuid[])`, [[...byId.keys()]], {
      name: 'chat-outbox-emitted',
    })
    return new Map(stored.map(({ message }) => [message.id, message]))
  }

  async function flush(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, SWEEP_AT_MOST)
      let emitted = new Map<string, ChatMessage>()
      try {
        emitted = await emitAll(batch)
      } catch (error) {
        // The messages stay in the outbox for a sweep.
        log.warn({ err: error }, 'Messages could not be emitted at once')
      }
      for (const { messageId, done } of batch) done(emitted.get(messageId) ?? null)
    }
    flushing = null
  }

  async function sweep(): Promise<void> {
    const { rows } = await db.query<{ message_id: string; is_first: boolean }>(
      `update chat_outbox set emit_after = clock_timestamp() + interval '5 s' where message_id in (
         select message_id from chat_outbox where emit_after < clock_timestamp()
          order by emit_after limit ${SWEEP_AT_MOST} for update skip locked)
       returning message_id, is_first`,
      [],
      { name: 'chat-outbox-sweep' },
    )
    const entries = rows.map((row) => ({ messageId: row.message_id, isFirst: row.is_first, senderSocketId: null }))
    if (entries.length > 0) await emitAll(entries)
  }

  const stopSweeping = repeating(SWEEP_EVERY_MS, sweep, logging(log, 'The outbox of messages could not be swept'))

  return {
    emit: (entry) =>
      new Promise((done) => {
        waiting.push({ ...entry, done })
        flushing ??= flush()
      }),
    async stop() {
      await stopSweeping()
      await flushing
    },
  }
}

async function emitConversation(
  db: Database,
  hub: ChatDeps['hub'],
  { message, playerId, holderId }: StoredMessage,
): Promise<void> {
  for (const userId of [playerId, holderId]) {
    const conversation = await readConversation(db, message.conversationId, userId)
    if (conversation !== null) hub.emitTo(`chat:${userId}`, 'conversation_created', conversation)
  }
}
