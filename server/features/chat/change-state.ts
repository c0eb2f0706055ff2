import type { Conversation } from '#domain/chat/conversation.ts'
import { decideDeskChange, type DeskState } from '#domain/chat/desk.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { lockSubject } from '#server/platform/http/auth.ts'
import { isRefused, type RefusedBy, refuse } from '#server/platform/http/errors.ts'
import { retrying } from '#server/platform/process/retrying.ts'
import type { ChatContext } from './ports.ts'
import { readConversation } from './queries.ts'

interface LockedRow {
  readonly [column: string]: unknown
  readonly holder_id: string
  readonly holder_name: string
  readonly newest_of_player: number
  readonly now: Date
}

export interface StateChange {
  readonly state: DeskState
  /** When a snoozed one opens again; null for the other states. */
  readonly untilMs: number | null
  /** The last message that its holder saw. */
  readonly seenSeq: number
}

/**
 * Sets how far its holder is with a conversation (docs/rules.md §7.12). Done ends the wait of its player. A message that
 * came after the last one seen refuses it: it is judged under the lock that every message takes.
 */
export async function changeState(
  { db, hub }: Pick<ChatContext, 'db' | 'hub'>,
  subject: Subject,
  conversationId: string,
  change: StateChange,
): Promise<Conversation | RefusedBy<'changeState'>> {
  const { state, untilMs } = change
  const refused = await retrying(db, async (tx) => {
    const actor = await lockSubject(tx, subject, 'staff:care')
    if (isRefused(actor)) return actor
    const locked = await tx.query(`select 1 from conversations where id = $1 for update`, [conversationId])
    if (locked.rowCount === 0) return refuse('CONVERSATION_NOT_FOUND')
    // It follows the lock, so it sees messages stored during the wait.
    const { rows } = await tx.query<LockedRow>(
      `select c.holder_id, h.username as holder_name, clock_timestamp() as now, coalesce((
          select m.seq from messages m where m.conversation_id = c.id and m.sender_id = c.player_id
           order by m.seq desc limit 1), 0) as newest_of_player
         from conversations c join users h on h.id = c.holder_id where c.id = $1`,
      [conversationId],
    )
    const row = rows[0]
    if (row === undefined) return refuse('CONVERSATION_NOT_FOUND')
    const standing = { holderId: row.holder_id, newestOfPlayerSeq: row.newest_of_player }
    const refusal = decideDeskChange(subject.userId, standing, change, row.now.getTime())
    if (refusal !== null) return refuse(refusal, refusal === 'HOLDER_CHANGED' ? { holder: row.holder_name } : undefined)
    await tx.query(
      `with ended as (delete from conversations_waiting where conversation_id = $1 and $2 = 'done')
       update conversations set state = $2, snoozed_until = $3, updated_at = clock_timestamp() where id = $1`,
      [conversationId, state, untilMs === null ? null : new Date(untilMs)],
    )
    return null
  })
  if (refused !== null) return refused
  const seen = await readConversation(db, conversationId, subject.userId)
  if (seen !== null) hub.emitTo(`chat:${subject.userId}`, 'conversation_changed', seen)
  return seen ?? refuse('CONVERSATION_NOT_FOUND')
}
