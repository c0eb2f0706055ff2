import { type RefusedBy, refuse } from '#server/platform/http/errors.ts'
import type { ChatContext } from './ports.ts'

/**
 * Hides a conversation from the caller up to its last message; a later message brings it back (rules §7). Where its
 * holder does so it waits for no answer any more.
 */
export async function deleteConversation(
  { db, hub }: Pick<ChatContext, 'db' | 'hub'>,
  userId: string,
  conversationId: string,
): Promise<{ hiddenThroughSeq: number } | RefusedBy<'deleteConversation'>> {
  const { rows } = await db.query<{ seq: number }>(
    `with handled as (
       delete from conversations_waiting w using conversations c
        where w.conversation_id = $1 and c.id = $1 and c.holder_id = $2)
     update conversation_members m set hidden_through_seq = greatest(m.hidden_through_seq, c.last_seq),
         read_seq = greatest(m.read_seq, c.last_seq), is_hidden = true
       from conversations c where c.id = $1 and m.conversation_id = c.id and m.user_id = $2
        and $2 in (c.player_id, c.holder_id) returning m.hidden_through_seq as seq`,
    [conversationId, userId],
  )
  const throughSeq = rows[0]?.seq
  if (throughSeq === undefined) return refuse('CONVERSATION_NOT_FOUND')
  hub.emitTo(`chat:${userId}`, 'conversation_removed', { conversationId, throughSeq })
  return { hiddenThroughSeq: throughSeq }
}
