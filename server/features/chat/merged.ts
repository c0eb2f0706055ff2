import type { Queryable } from '#server/platform/database/db.ts'
import { isRefused } from '#server/platform/http/errors.ts'

export async function readMerged(db: Queryable, conversationId: string): Promise<string | null> {
  const { rows } = await db.query<{ into_id: string }>(
    `select into_id from merged_conversations where id = $1`,
    [conversationId],
    { name: 'chat-read-merged' },
  )
  return rows[0]?.into_id ?? null
}

/**
 * Calls `act` with a conversation's id. If `act` finds nothing and the conversation was merged, calls `act` again with
 * the id of the new conversation. An act that waited for the lock of a merge finds nothing, so it is repeated, too.
 */
export async function following<Answer>(
  db: Queryable,
  conversationId: string,
  act: (conversationId: string, isMerged: boolean) => Promise<Answer>,
): Promise<Answer> {
  const answer = await act(conversationId, false)
  if (!isRefused(answer) || (answer.code !== 'CONVERSATION_NOT_FOUND' && answer.code !== 'NOT_FOUND')) return answer
  const intoId = await readMerged(db, conversationId)
  return intoId === null ? answer : following(db, intoId, (id) => act(id, true))
}
