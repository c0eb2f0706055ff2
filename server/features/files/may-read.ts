import { FILES_PATH } from '#contract/files.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { recordAct } from '#server/features/audit/index.ts'
import type { Database, Row } from '#server/platform/database/db.ts'
import { type RefusedBy, refuse } from '#server/platform/http/errors.ts'
import { STORAGE_KEY } from './store-upload.ts'

interface ShowingRow extends Row {
  mime: string
  owner_id: string
  /** Of a message that shows the image; null when no message does. */
  conversation_id: string | null
  is_participant: boolean | null
  /** The reader deleted the message. */
  is_hidden: boolean | null
}

/**
 * Decides whether a user may read an image, by the messages that show it (rules §7). Allowed are the player and the
 * holder of the conversation, unless they deleted it for themselves, and any admin; an admin's access to another
 * holder's conversation is in the audit log. An image that no message shows can be read only by its owner. Answers the
 * image's type. A refusal does not reveal whether the image exists.
 */
export async function mayRead(db: Database, subject: Subject, key: string): Promise<string | RefusedBy<'readImage'>> {
  if (!STORAGE_KEY.test(key)) return refuse('NOT_FOUND')
  const { rows } = await db.query<ShowingRow>(
    // The message that allows most: one in the user's own conversations first, then one in other conversations.
    `select u.mime, u.owner_id, s.conversation_id, s.is_participant, s.is_hidden from uploads u
       left join lateral (
         select c.id as conversation_id, $2 in (c.player_id, c.holder_id) as is_participant,
             $2 in (c.player_id, c.holder_id) and m.seq <= coalesce(me.hidden_through_seq, -1) as is_hidden
           from messages m join conversations c on c.id = m.conversation_id
           left join conversation_members me on me.conversation_id = c.id and me.user_id = $2
          where m.kind = 'image' and m.content = $3
          order by is_hidden, is_participant desc limit 1) s on true
      where u.storage_key = $1`,
    [key, subject.userId, FILES_PATH + key],
    { name: 'files-may-read' },
  )
  const row = rows[0]
  if (row === undefined || row.is_hidden === true) return refuse('NOT_FOUND')
  const { mime, conversation_id: conversationId } = row
  if (conversationId === null) return row.owner_id === subject.userId ? mime : refuse('NOT_FOUND')
  if (row.is_participant === true) return mime
  if (subject.role !== 'admin') return refuse('NOT_FOUND')
  const look = { actor: subject.userId, act: 'chat.read' as const, target: `conversation:${conversationId}` }
  await db.tx((tx) => recordAct(tx, { ...look, after: { image: key } }))
  return mime
}
