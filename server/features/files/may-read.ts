import { FILES_PATH } from '#contract/files.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { recordAct } from '#server/features/audit/index.ts'
import type { Database, Row } from '#server/platform/database/db.ts'
import { type RefusedBy, refuse } from '#server/platform/http/errors.ts'
import { STORAGE_KEY } from './store-upload.ts'

interface ShowingRow extends Row {
  mime: string
  name: string | null
  owner_id: string
  conversation_id: string | null
  is_participant: boolean | null
  /** True if the reader deleted the message, or its sender retracted it. */
  is_hidden: boolean | null
}

/**
 * Decides whether a user may read a picture or a PDF (rules §7.7). A file in no message is readable by its uploader
 * alone. A file in a message is readable by the player and the holder of the conversation, until they delete the
 * message for themselves, and by other admins with `care`. A message that its sender has retracted makes the file
 * readable to nobody. An admin's look into a conversation that another admin holds is audited.
 */
export async function mayRead(
  db: Database,
  subject: Subject,
  key: string,
): Promise<{ readonly mime: string; readonly name: string | null } | RefusedBy<'readUpload'>> {
  if (!STORAGE_KEY.test(key)) return refuse('NOT_FOUND')
  const { rows } = await db.query<ShowingRow>(
    // Of several messages with the file, the one that allows most is taken. Those that are not hidden come first, and
    // among these those of the user's conversations. A conversation that nobody holds counts as every admin's.
    `select u.mime, u.name, u.owner_id, s.conversation_id, s.is_participant, s.is_hidden from uploads u
       left join lateral (
          select c.id as conversation_id, $2 = c.player_id or $4 and coalesce($2 = c.holder_id, true) as is_participant,
             coalesce($2 in (c.player_id, c.holder_id), false) and m.seq <= coalesce(me.hidden_through_seq, -1)
               or exists (select from message_changes x where x.message_id = m.id) as is_hidden
           from messages m join conversations c on c.id = m.conversation_id
           left join conversation_members me on me.conversation_id = c.id and me.user_id = $2
          where m.kind = 'image' and m.content = $3 or m.file_key = $1
          order by is_hidden, is_participant desc limit 1) s on true
      where u.storage_key = $1`,
    [key, subject.userId, FILES_PATH + key, subject.role === 'admin'],
    { name: 'files-may-read' },
  )
  const row = rows[0]
  if (row === undefined || row.is_hidden === true) return refuse('NOT_FOUND')
  const { mime, name, conversation_id: conversationId } = row
  if (conversationId === null) return row.owner_id === subject.userId ? { mime, name } : refuse('NOT_FOUND')
  if (row.is_participant === true) return { mime, name }
  if (subject.role !== 'admin') return refuse('NOT_FOUND')
  const after = { [name === null ? 'image' : 'file']: key }
  await db.tx((tx) => recordAct(tx, subject.userId, 'chat.read', `conversation:${conversationId}`, { after }))
  return { mime, name }
}
