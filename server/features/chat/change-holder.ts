import { type Conversation, decideHolderChange } from '#domain/chat/conversation.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { recordAct } from '#server/features/audit/index.ts'
import { lockSubject } from '#server/platform/http/auth.ts'
import { isRefused, type RefusedBy, refuse } from '#server/platform/http/errors.ts'
import { retrying } from '#server/platform/process/retrying.ts'
import type { ChatContext } from './ports.ts'
import { readAccount, readConversation } from './queries.ts'

interface HolderRow {
  readonly [column: string]: unknown
  readonly player_id: string
  readonly holder_id: string
  readonly holder_name: string
}

/**
 * Gives a conversation another holder: staff claim it for themselves, or its holder hands it over. The change is a
 * compare-and-set on the holder that the actor saw (rules §7): of two simultaneous claims one succeeds, and the other
 * is answered with the new holder.
 */
export async function changeHolder(
  { db, hub }: Pick<ChatContext, 'db' | 'hub'>,
  subject: Subject,
  conversationId: string,
  fromId: string,
  toId: string,
): Promise<Conversation | RefusedBy<'changeHolder'>> {
  const changed = await retrying(db, async (tx) => {
    const actor = await lockSubject(tx, subject, 'staff:care', [toId])
    if (isRefused(actor)) return actor
    const { rows } = await tx.query<HolderRow>(
      // The user is joined after the row is locked. A join in the locking statement finds no row when the holder
      // changed during the wait for the lock.
      `with c as (select player_id, holder_id from conversations where id = $1 for update)
       select c.player_id, c.holder_id, h.username as holder_name from c join users h on h.id = c.holder_id`,
      [conversationId],
    )
    const row = rows[0]
    if (row === undefined) return refuse('CONVERSATION_NOT_FOUND')
    // The current holder claims it again: a retry after a lost answer.
    if (row.holder_id === toId && toId === subject.userId) return { row, isChanged: false }
    const refusal = decideHolderChange(subject.userId, { holderId: row.holder_id }, fromId, await readAccount(tx, toId))
    if (refusal !== null) return refuse(refusal, refusal === 'HOLDER_CHANGED' ? { holder: row.holder_name } : undefined)
    if (row.holder_id === toId) return { row, isChanged: false }
    const { rowCount: others } = await tx.query(`select 1 from conversations where player_id = $1 and holder_id = $2`, [
      row.player_id,
      toId,
    ])
    if (others > 0) return refuse('HOLDER_HAS_ONE')
    await tx.query(`update conversations set holder_id = $2, updated_at = clock_timestamp() where id = $1`, [
      conversationId,
      toId,
    ])
    // The new holder's read marker starts at the previous holder's.
    await tx.query(
      `insert into conversation_members (conversation_id, user_id, read_seq)
       select $1, $2, read_seq from conversation_members where conversation_id = $1 and user_id = $3
       on conflict (conversation_id, user_id) do update set is_hidden = false,
         read_seq = greatest(conversation_members.read_seq, excluded.read_seq)`,
      [conversationId, toId, row.holder_id],
    )
    await recordAct(tx, {
      actor: subject.userId,
      act: toId === subject.userId ? 'chat.claim' : 'chat.hand-over',
      target: `conversation:${conversationId}`,
      before: { holder: row.holder_id },
      after: { holder: toId },
    })
    return { row, isChanged: true }
  }).catch((error: unknown) => {
    // The new holder and the player opened a conversation of their own meanwhile.
    if ((error as { constraint?: unknown }).constraint === 'one_conversation_of_two') return refuse('HOLDER_HAS_ONE')
    throw error
  })
  if (isRefused(changed)) return changed
  const { row, isChanged } = changed
  if (isChanged) {
    hub.emitTo(`chat:${row.holder_id}`, 'conversation_removed', { conversationId, throughSeq: null })
    for (const userId of [row.player_id, toId]) {
      const seen = await readConversation(db, conversationId, userId)
      if (seen !== null) hub.emitTo(`chat:${userId}`, 'conversation_changed', seen)
    }
  }
  return (await readConversation(db, conversationId, subject.userId)) ?? refuse('CONVERSATION_NOT_FOUND')
}
