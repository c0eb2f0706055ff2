import type { CannedReply } from '#contract/chat.ts'
import { cleanText } from '#domain/chat/conversation.ts'
import { REPLIES_MAX } from '#domain/chat/reply.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import type { Database, Queryable } from '#server/platform/database/db.ts'
import { actingOnce } from '#server/platform/http/acting.ts'
import { refuse } from '#server/platform/http/errors.ts'
import { newId } from '#server/platform/process/ids.ts'

const SHOWN = 300

export async function listReplies(db: Queryable, userId: string): Promise<CannedReply[]> {
  const { rows } = await db.query<CannedReply>(
    `select r.id, r.name, r.content as text, r.is_shared as "isShared",
            json_build_object('id', u.id, 'username', u.username) as maker
       from canned_replies r join users u on u.id = r.owner_id
      where r.owner_id = $1 or r.is_shared order by r.owner_id <> $1, r.name, r.id limit ${SHOWN}`,
    [userId],
  )
  return rows
}

/** `actingOnce` locks the maker's row, so that two calls at once cannot exceed REPLIES_MAX. */
export const saveReply = (db: Database, subject: Subject, wish: Pick<CannedReply, 'name' | 'text' | 'isShared'>) =>
  actingOnce(db, subject, 'staff:care', async (tx, maker) => {
    const { name, isShared } = wish
    const text = cleanText(wish.text)
    if (text === null) return refuse('MESSAGE_INVALID')
    const { rows } = await tx.query<{ id: string }>(
      `insert into canned_replies as r (id, owner_id, name, content, is_shared)
       select $1, $2, $3, $4, $5
        where (select count(*) from canned_replies where owner_id = $2 and name <> $3) < $6
       on conflict (owner_id, name) do update set content = excluded.content, is_shared = excluded.is_shared
       returning r.id`,
      [newId(), maker.userId, name, text, isShared, REPLIES_MAX],
    )
    const id = rows[0]?.id
    if (id === undefined) return refuse('TOO_MANY_REPLIES')
    return { id, name, text, isShared, maker: { id: maker.userId, username: maker.username } }
  })
