import type { ChatMessage } from '#domain/chat/conversation.ts'
import type { Database } from '#server/platform/db.ts'
import type { Logger } from '#server/platform/log.ts'
import type { ChatDeps, Outbox } from './ports.ts'
import { readConversation, readToTell, type ToldMessage } from './queries.ts'

const SWEEP_EVERY_MS = 1_000
const SWEEP_AT_MOST = 500

/**
 * Tells stored messages to both sides, after the commit. Whoever stored one tells it at once, together with those that
 * were stored meanwhile; what a killed process left is told by the others' sweep within some seconds. It may be told
 * twice, never not at all: receivers know a message by its seq.
 */
export function startOutbox({ db, hub, log }: Pick<ChatDeps, 'db' | 'hub'> & { log: Logger }): Outbox & {
  stop(): Promise<void>
} {
  const waiting: Array<{
    readonly id: string
    readonly isFirst: boolean
    readonly done: (told: ChatMessage | null) => void
  }> = []
  let flushing: Promise<void> | null = null

  async function tellAll(
    entries: ReadonlyArray<{ readonly id: string; readonly isFirst: boolean }>,
  ): Promise<Map<string, ChatMessage>> {
    const told = await readToTell(
      db,
      entries.map(({ id }) => id),
    )
    const first = new Set(entries.filter(({ isFirst }) => isFirst).map(({ id }) => id))
    for (const one of told) {
      if (first.has(one.message.id)) await tellConversation(db, hub, one)
      const { message, playerId, holderId } = one
      hub.emitTo([`user:${playerId}`, `user:${holderId}`], 'receive_message', message)
      hub.emitTo(`user:${message.sender.id}`, 'message_sent', { message, clientMessageId: message.clientMessageId })
    }
    await db.query(`delete from chat_outbox where message_id = any($1::uuid[])`, [entries.map(({ id }) => id)], {
      name: 'chat-outbox-told',
    })
    return new Map(told.map(({ message }) => [message.id, message]))
  }

  async function flush(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, SWEEP_AT_MOST)
      let told = new Map<string, ChatMessage>()
      try {
        told = await tellAll(batch)
      } catch (error) {
        // They stay in the outbox, and a sweep tells them.
        log.warn({ err: error }, 'Messages could not be told at once')
      }
      for (const { id, done } of batch) done(told.get(id) ?? null)
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
    if (rows.length > 0) await tellAll(rows.map(({ message_id: id, is_first: isFirst }) => ({ id, isFirst })))
  }

  let sweeping: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    sweeping = sweeping
      .then(sweep)
      .catch((error: unknown) => log.warn({ err: error }, 'The outbox of messages could not be swept'))
  }, SWEEP_EVERY_MS)
  timer.unref()

  return {
    tell: (id, isFirst) =>
      new Promise((done) => {
        waiting.push({ id, isFirst, done })
        flushing ??= flush()
      }),
    async stop() {
      clearInterval(timer)
      await sweeping
      await flushing
    },
  }
}

async function tellConversation(
  db: Database,
  hub: ChatDeps['hub'],
  { message, playerId, holderId }: ToldMessage,
): Promise<void> {
  for (const userId of [playerId, holderId]) {
    const conversation = await readConversation(db, message.conversationId, userId)
    if (conversation !== null) hub.emitTo(`user:${userId}`, 'conversation_created', conversation)
  }
}
