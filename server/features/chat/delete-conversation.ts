import type { Subject } from '#domain/identity/permissions.ts'
import { type RefusedBy, refuse } from '#server/platform/http/errors.ts'
import type { ChatContext } from './ports.ts'

/**
 * Hides a conversation from the user up to the message `throughSeq`, by default the last one. A later message brings
 * the conversation back. If the holder hides all messages, the conversation waits for no answer any more (rules §7.6).
 */
export async function deleteConversation(
  { db, hub }: Pick<ChatContext, 'db' | 'hub'>,
  { userId, role }: Subject,
  conversationId: string,
  throughSeq = Number.POSITIVE_INFINITY,
): Promise<{ hiddenThroughSeq: number } | RefusedBy<'deleteConversation'>> {
  const seen = await db.query<{ seq: number }>(`select last_seq as seq from conversations where id = $1`, [
    conversationId,
  ])
  // `seen` is read before the lock: a message that is stored during the wait for the lock is not hidden.
  const { rows } = await db.query<{ seq: number }>(
    `with c as (select id, player_id, case when $4 then holder_id end as holder_id, last_seq from conversations
         where id = $1 for update),
     handled as (
       delete from conversations_waiting w using c
        where w.conversation_id = c.id and c.holder_id = $2 and c.last_seq = $3)
     update conversation_members m set hidden_through_seq = greatest(m.hidden_through_seq, $3),
         read_seq = greatest(m.read_seq, $3), is_hidden = true
       from c where m.conversation_id = c.id and m.user_id = $2
        and $2 in (c.player_id, c.holder_id) returning m.hidden_through_seq as seq`,
    [conversationId, userId, Math.min(seen.rows[0]?.seq ?? 0, throughSeq), role === 'admin'],
  )
  const hiddenThroughSeq = rows[0]?.seq
  if (hiddenThroughSeq === undefined) return refuse('CONVERSATION_NOT_FOUND')
  hub.emitTo(`chat:${userId}`, 'conversation_removed', { conversationId, throughSeq: hiddenThroughSeq })
  return { hiddenThroughSeq }
}
