import type { ClientRefusal } from '#contract/events.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { HOLDER_TO_TELL, takesPart } from './message-queries.ts'
import type { ChatContext } from './ports.ts'
import { type Refused, refuse } from '#server/platform/http/errors.ts'

/**
 * Moves the reader's own read marker forward, at most to the last message (rules §7.4). If the marker moved, the reader
 * and the other side get `message_read`; only the reader's event has the number of unread messages.
 * @param messageId the last message that was on the reader's screen; null moves the marker to `deliveredSeq`
 * @param deliveredSeq the highest seq of the conversation that was delivered to the reader's socket
 */
export async function markRead(
  { db, hub }: Pick<ChatContext, 'db' | 'hub'>,
  { userId, role }: Subject,
  conversationId: string,
  messageId: string | null,
  deliveredSeq: number,
): Promise<{ readSeq: number; unreadCount: number; lastSeq: number } | Refused<ClientRefusal<'mark_as_read'>>> {
  const { rows } = await db.query<{
    peerId: string | null
    beforeSeq: number
    readSeq: number
    lastSeq: number
    unreadCount: number
    markedId: string | null
    now: Date
  }>(
    `with place as (
       select c.id, c.last_seq, case when c.player_id = $2 then ${HOLDER_TO_TELL} else c.player_id end as peer_id,
           me.read_seq, me.read_apart, me.hidden_through_seq, greatest(me.read_seq, least(c.last_seq, coalesce(
             (select seq from messages where id = $3 and conversation_id = c.id), case when $3 is null then $4 else 0 end))) as next_seq
         from conversations c join conversation_members me on me.conversation_id = c.id and me.user_id = $2
        where c.id = $1 and ${takesPart('$2', '$5')}),
     moved as (
       update conversation_members m set read_seq = greatest(m.read_seq, place.next_seq) from place
        where m.conversation_id = place.id and m.user_id = $2 and place.next_seq > m.read_seq returning 1)
     select p.peer_id as "peerId", p.read_seq as "beforeSeq", p.next_seq as "readSeq", p.last_seq as "lastSeq",
         (select count(*)::integer from messages u where u.conversation_id = p.id and u.seq > greatest(p.next_seq, p.hidden_through_seq)
           and not u.seq <@ p.read_apart and u.seq <= p.last_seq and u.sender_id <> $2) as "unreadCount",
         (select id from messages where conversation_id = p.id and seq = p.next_seq) as "markedId", clock_timestamp() as now
       from place p left join moved on true`,
    [conversationId, userId, messageId, deliveredSeq, role === 'admin'],
    { name: 'chat-mark-read' },
  )
  if (rows[0] === undefined) return refuse('CONVERSATION_NOT_FOUND')
  const { peerId, beforeSeq, markedId, now, ...counted } = rows[0]
  const { readSeq } = counted
  if (readSeq > beforeSeq && markedId !== null) {
    const event = { conversationId, readerId: userId, messageId: markedId, readSeq, atMs: now.getTime() }
    if (peerId !== null) hub.emitTo(`chat:${peerId}`, 'message_read', event)
    hub.emitTo(`chat:${userId}`, 'message_read', { ...event, ...counted })
  }
  return counted
}
