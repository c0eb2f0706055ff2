import { CARE_DESK, type Conversation } from '#domain/chat/conversation.ts'
import { decideTags } from '#domain/chat/tags.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { recordAct } from '#server/features/audit/index.ts'
import type { Queryable } from '#server/platform/database/db.ts'
import { acting } from '#server/platform/http/acting.ts'
import { isRefused, type RefusedBy, refuse } from '#server/platform/http/errors.ts'
import type { ChatContext } from './ports.ts'
import { readConversation, readStanding } from './queries.ts'
import { emitView, holderRoom } from './rooms.ts'

const SHOWN = 100

export async function listTags(db: Queryable): Promise<{ tag: string; conversations: number }[]> {
  const { rows } = await db.query<{ tag: string; conversations: bigint }>(
    `select tag, count(*) as conversations from conversation_tags group by tag order by 2 desc, 1 limit ${SHOWN}`,
    [],
    { name: 'chat-list-tags' },
  )
  return rows.map(({ tag, conversations }) => ({ tag, conversations: Number(conversations) }))
}

/**
 * Adds and removes tags of a conversation, which the actor need not hold (rules §7.18). The conversation is locked, so
 * that two calls at once cannot exceed the limit of tags.
 */
export async function changeTags(
  { db, hub }: Pick<ChatContext, 'db' | 'hub'>,
  subject: Subject,
  conversationId: string,
  change: { readonly add: readonly string[]; readonly remove: readonly string[] },
): Promise<Conversation | RefusedBy<'changeTags'>> {
  const changed = await acting(db, subject, 'staff:care', async (tx) => {
    const locked = await tx.query(`select 1 from conversations where id = $1 for update`, [conversationId])
    if (locked.rowCount === 0) return refuse('CONVERSATION_NOT_FOUND')
    const { rows } = await tx.query<{ tag: string }>(`select tag from conversation_tags where conversation_id = $1`, [
      conversationId,
    ])
    const known = rows.map(({ tag }) => tag).toSorted()
    const decided = decideTags(known, change)
    if (!decided.ok) return refuse(decided.refusal)
    const [before, after] = [known.join(', '), decided.tags.join(', ')]
    if (before === after) return false
    await tx.query(
      `with gone as (delete from conversation_tags where conversation_id = $1 and tag <> all($2::text[]))
       insert into conversation_tags (conversation_id, tag, added_by) select $1, unnest($2::text[]), $3
       on conflict do nothing`,
      [conversationId, decided.tags, subject.userId],
    )
    await recordAct(tx, subject.userId, 'chat.tags', `conversation:${conversationId}`, {
      before: { tags: before },
      after: { tags: after },
    })
    return true
  })
  if (isRefused(changed)) return changed
  const standing = changed ? await readStanding(db, conversationId, subject) : null
  if (standing !== null) {
    const ofHolder = holderRoom(standing.holderId)
    await emitView({ db, hub }, ofHolder, conversationId, standing.holderId ?? CARE_DESK.id)
    // Other staff get the view of CARE_DESK, which has no last message and no unread count.
    if (standing.holderId !== null) await emitView({ db, hub }, 'staff:care', conversationId, CARE_DESK.id, ofHolder)
  }
  return (await readConversation(db, conversationId, subject.userId)) ?? refuse('CONVERSATION_NOT_FOUND')
}
