import type { Row, Tx } from '#server/platform/database/db.ts'
import { type Refused, refuse } from '#server/platform/http/errors.ts'

interface Held extends Row {
  readonly player_id: string
  readonly holder_id: string | null
  readonly holder_name: string | null
}

export async function lockHeld(tx: Tx, conversationId: string): Promise<Held | undefined> {
  const { rows } = await tx.query<Held>(
    // The holder is joined outside of `c`: a join inside `c` would miss a holder set during the wait for the lock.
    `with c as (select player_id, holder_id from conversations where id = $1 for update)
     select c.player_id, c.holder_id, h.username as holder_name from c left join users h on h.id = c.holder_id`,
    [conversationId],
  )
  return rows[0]
}

/** SQL: when a conversation is changed. Clients keep the later view, so each is at least 1 ms after the last one. */
export const CHANGED_AT = `greatest(clock_timestamp(), updated_at + interval '1 ms')`

/**
 * Gives a conversation, which the caller has locked, to a new holder, or back to the queue if `toId` is null. Messages
 * that former holders have read count as read for the new one, and those that holders have hidden are shown again
 * (rules §7.6). Returns false if the new holder, or the queue, already has a conversation of this player.
 */
export async function giveConversation(tx: Tx, conversationId: string, toId: string | null): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update conversations c set holder_id = $2, put_back_by = case when $2::uuid is null then holder_id end,
       updated_at = ${CHANGED_AT} where id = $1 and not exists (
       select 1 from conversations o where o.player_id = c.player_id and o.holder_id is not distinct from $2)`,
    [conversationId, toId],
  )
  if (rowCount === 0) return false
  await tx.query(
    // `hidden_through_seq` is not reset to -1, its default: 0 tells an admin's client that a deletion was undone.
    `update conversation_members m set is_hidden = false, hidden_through_seq = 0 from conversations c
      where c.id = $1 and m.conversation_id = c.id and m.user_id <> c.player_id and m.hidden_through_seq > 0`,
    [conversationId],
  )
  if (toId !== null)
    await tx.query(
      `insert into conversation_members (conversation_id, user_id, read_seq, read_apart)
       select $1, $2, coalesce(max(m.read_seq), 0), coalesce(range_agg(m.read_apart), '{}') from conversations c
         left join conversation_members m on m.conversation_id = c.id and m.user_id <> c.player_id where c.id = $1
       on conflict (conversation_id, user_id) do update set is_hidden = false,
         read_seq = greatest(conversation_members.read_seq, excluded.read_seq),
         read_apart = conversation_members.read_apart + excluded.read_apart`,
      [conversationId, toId],
    )
  return true
}

/** Returns whether a statement failed because a player would have two conversations with a holder or in the queue. */
export function isTwice(error: unknown): boolean {
  const { constraint } = error as { constraint?: unknown }
  return constraint === 'one_conversation_of_two' || constraint === 'conversations_queue'
}

export function refuseNaming<Code extends 'HOLDER_CHANGED' | 'MERGE_HELD'>(
  code: Code,
  holder: string | null | undefined,
): Refused<Code> {
  const refused = refuse(code, { holder })
  refused.message += ` (${holder ?? ''})`
  return refused
}
