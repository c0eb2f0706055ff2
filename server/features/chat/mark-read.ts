import type { ClientRefusal } from '#contract/events.ts'
import type { ChatContext } from './ports.ts'
import { type Refused, refuse } from '#server/platform/http/errors.ts'

export interface ReadUpTo {
  readonly conversationId: string
  /** The lowest message on screen; null means the highest seq delivered to the socket: `deliveredSeq`. */
  readonly messageId: string | null
  readonly deliveredSeq: number
}

/**
 * Moves the reader's own marker forward, never back and never past the last message (rules §7). Both sides are
 * notified; the remaining unread count goes only to the reader.
 */
export async function markRead(
  { db, hub }: Pick<ChatContext, 'db' | 'hub'>,
  userId: string,
  { conversationId, messageId, deliveredSeq }: ReadUpTo,
): Promise<{ readSeq: number; unreadCount: number; lastSeq: number } | Refused<ClientRefusal<'mark_as_read'>>> {
  const { rows } = await db.query<{
    peer_id: string | null
    before_seq: number
    read_seq: number
    last_seq: number
    unread: bigint
    marked_id: string | null
    now: Date
  }>(
    `with place as (
       select c.id, c.last_seq, case when c.player_id = $2 then c.holder_id else c.player_id end as peer_id, me.read_seq,
           me.read_apart, me.hidden_through_seq, greatest(me.read_seq, least(c.last_seq, coalesce(
             (select seq from messages where id = $3 and conversation_id = c.id), case when $3 is null then $4 else 0 end))) as next_seq
         from conversations c join conversation_members me on me.conversation_id = c.id and me.user_id = $2
        where c.id = $1 and $2 in (c.player_id, c.holder_id)),
     moved as (
       update conversation_members m set read_seq = greatest(m.read_seq, place.next_seq) from place
        where m.conversation_id = place.id and m.user_id = $2 and place.next_seq > m.read_seq returning 1)
     select p.peer_id, p.read_seq as before_seq, p.next_seq as read_seq, p.last_seq,
         (select count(*) from messages u where u.conversation_id = p.id and u.seq > greatest(p.next_seq, p.hidden_through_seq)
           and not u.seq <@ p.read_apart and u.seq <= p.last_seq and u.sender_id <> $2) as unread,
         (select id from messages where conversation_id = p.id and seq = p.next_seq) as marked_id, clock_timestamp() as now
       from place p left join moved on true`,
    [conversationId, userId, messageId, deliveredSeq],
    { name: 'chat-mark-read' },
  )
  const row = rows[0]
  if (row === undefined) return refuse('CONVERSATION_NOT_FOUND')
  const counted = { readSeq: row.read_seq, unreadCount: Number(row.unread), lastSeq: row.last_seq }
  if (row.read_seq > row.before_seq && row.marked_id !== null) {
    const event = {
      conversationId,
      readerId: userId,
      messageId: row.marked_id,
      readSeq: row.read_seq,
      atMs: row.now.getTime(),
    }
    if (row.peer_id !== null) hub.emitTo(`chat:${row.peer_id}`, 'message_read', event)
    hub.emitTo(`chat:${userId}`, 'message_read', { ...event, unreadCount: counted.unreadCount, lastSeq: row.last_seq })
  }
  return counted
}
