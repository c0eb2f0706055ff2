import type { ChatMessage } from '#domain/chat/conversation.ts'
import { logging, repeating } from '#server/platform/process/jobs.ts'
import type { Logger } from '#server/platform/process/log.ts'
import type { ChatDeps, Outbox, OutboxEntry } from './ports.ts'
import { readToEmit } from './message-queries.ts'
import { holderRoom, emitConversation } from './rooms.ts'

const SWEEP_EVERY_MS = 1_000
const SWEEP_AT_MOST = 500

/**
 * Emits stored messages and changes to both sides after the commit. If the process that stored a message does not emit
 * it, a sweep of any process does. A message may therefore be emitted twice, with the same seq (rules §7.2).
 * @param deps.onQueued called after a message or a change was emitted in a conversation that nobody holds
 */
// oxlint-disable-next-line max-lines-per-function -- parts over one state (decision 036)
export function startOutbox({
  db,
  hub,
  log,
  onQueued,
}: Pick<ChatDeps, 'db' | 'hub'> & { readonly log: Logger; readonly onQueued: () => void }): Outbox & {
  stop(): Promise<void>
} {
  const waiting: Array<OutboxEntry & { readonly done: (emitted: ChatMessage | null) => void }> = []
  let flushing: Promise<void> | null = null

  async function emitAll(entries: readonly OutboxEntry[]): Promise<Map<string, ChatMessage>> {
    const byId = new Map(entries.map((entry) => [entry.messageId, entry]))
    const stored = await readToEmit(db, [...byId.keys()])
    const emitted = new Map<string, ChatMessage>()
    for (const { message, changeId, hiddenFor, ...sides } of stored) {
      const entry = byId.get(message.id)
      if (entry?.isFirst === true)
        await emitConversation({ db, hub }, 'conversation_created', message.conversationId, sides)
      // A page that was opened after a deletion would show what is told of a deleted message (rules §7.6).
      const rooms = [sides.playerId, sides.holderId].flatMap((id) =>
        id !== null && hiddenFor.includes(id) ? [] : [holderRoom(id)],
      )
      if (entry !== undefined) hub.emitTo(rooms, 'receive_message', message, entry.senderSocketId ?? undefined)
      emitted.set(message.id, message)
      if (changeId === null || !byId.has(changeId)) continue
      hub.emitTo(rooms, 'message_changed', message)
      emitted.set(changeId, message)
    }
    await db.query(`delete from chat_outbox where message_id = any($1::uuid[])`, [[...byId.keys()]], {
      name: 'chat-outbox-emitted',
    })
    if (stored.some(({ holderId }) => holderId === null)) onQueued()
    return emitted
  }

  async function flush(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, SWEEP_AT_MOST)
      let emitted = new Map<string, ChatMessage>()
      try {
        emitted = await emitAll(batch)
      } catch (error) {
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
