import type { Database } from '#server/platform/database/db.ts'

/**
 * Notes the conversations of the last 7 days that wait for an answer and are not noted, because a process of the
 * previous version stored their last message. A conversation that its holder has deleted or marked as done since then
 * no longer waits. Returns their number; can be repeated.
 */
export async function fillWaiting(db: Database): Promise<number> {
  const { rowCount } = await db.query(
    `insert into conversations_waiting (conversation_id, since)
     select c.id, (select min(p.sent_at) from messages p where p.conversation_id = c.id and p.seq >
                     coalesce((select max(s.seq) from messages s where s.conversation_id = c.id and s.sender_id <> c.player_id), 0))
       from conversations c
       join messages m on m.conversation_id = c.id and m.seq = c.last_seq and m.sender_id = c.player_id
       left join conversation_members h on h.conversation_id = c.id and h.user_id = c.holder_id
      where c.last_activity > clock_timestamp() - interval '7 days'
        and coalesce(h.hidden_through_seq, -1) < c.last_seq and c.state <> 'done'
     on conflict (conversation_id) do nothing`,
  )
  return rowCount
}
