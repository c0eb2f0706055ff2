import type { ChatNote } from '#contract/chat-notes.ts'
import { staffRooms } from '#contract/events.ts'
import { cleanText } from '#domain/chat/conversation.ts'
import { mentionedNames } from '#domain/chat/note.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { recordAct } from '#server/features/audit/index.ts'
import type { Queryable, Tx } from '#server/platform/database/db.ts'
import { msSql } from '#server/platform/database/rows.ts'
import { acting } from '#server/platform/http/acting.ts'
import { type RefusedBy, refuse } from '#server/platform/http/errors.ts'
import { countRows, type Page } from '#server/platform/http/lists.ts'
import type { ChatContext } from './ports.ts'
import { canHoldSql, readStanding } from './queries.ts'

const NOTES = `select n.id, json_build_object('id', a.id, 'username', a.username) as "writtenBy", n.content as text,
    ${msSql('n.created_at')} as "createdAtMs",
    (select coalesce(json_agg(json_build_object('id', u.id, 'username', u.username) order by u.username_key), '[]')
       from users u where u.id = any(n.mentions)) as mentions,
    exists (select from conversation_mentions m where m.user_id = $1 and m.note_id = n.id) as "isNews"
  from conversation_notes n join users a on a.id = n.author_id`

/** Refuses if the conversation is unknown or the reader is its player: nobody may read notes about themselves. */
async function judgeReader(db: Queryable, conversationId: string, readerId: string) {
  const standing = await readStanding(db, conversationId, { userId: readerId, role: 'admin' })
  if (standing === null) return refuse('CONVERSATION_NOT_FOUND')
  return standing.playerId === readerId ? refuse('NOT_YOURSELF') : null
}

export async function listNotes(
  db: Queryable,
  readerId: string,
  conversationId: string,
  { limit, offset }: Page,
  cap: number,
): Promise<{ notes: ChatNote[]; counted: number } | RefusedBy<'listChatNotes'>> {
  const refusal = await judgeReader(db, conversationId, readerId)
  if (refusal !== null) return refusal
  const [{ rows: notes }, counted] = await Promise.all([
    db.query<ChatNote>(
      `${NOTES} where n.conversation_id = $2 order by n.created_at desc, n.id desc limit $3 offset $4`,
      [readerId, conversationId, limit + 1, offset],
    ),
    countRows(
      db,
      ({ add }) => `select 1 from conversation_notes where conversation_id = ${add(conversationId)} limit ${add(cap)}`,
    ),
  ])
  return { notes, counted }
}

/**
 * Writes a note that mentions `alsoTo` and the users whom the text names after an @, except the author, the player and
 * users who may not hold conversations. Changes nothing if `noteId` exists. The audit log has the act, not the text.
 */
export async function writeNote(
  tx: Tx,
  note: {
    readonly noteId: string
    readonly conversationId: string
    readonly authorId: string
    readonly content: string
    readonly alsoTo: string | null
  },
): Promise<void> {
  const { noteId, conversationId, authorId, content, alsoTo } = note
  const { rowCount } = await tx.query(
    `with written as (
       insert into conversation_notes (id, conversation_id, author_id, content, mentions)
       select $1, c.id, $3, $4, array(select u.id from users u
           where ${canHoldSql('u')} and (u.username_key = any($5) or u.id = $6) and u.id not in ($3, c.player_id))
         from conversations c where c.id = $2 for key share of c on conflict (id) do nothing returning id, mentions),
     told as (insert into conversation_mentions (user_id, note_id) select unnest(mentions), id from written)
     select 1 from written`,
    [noteId, conversationId, authorId, content, mentionedNames(content), alsoTo],
  )
  if (rowCount > 0) await recordAct(tx, authorId, 'chat.note', `conversation:${conversationId}`)
}

/** Notifies staff of a new note, whose text clients then fetch by HTTP. Must be called after the commit. */
export const emitNote = ({ hub }: Pick<ChatContext, 'hub'>, conversationId: string): void =>
  hub.emitTo(staffRooms.note_added, 'note_added', { conversationId })

/**
 * Adds a note for other staff (rules §7.14). A repeat with the same `noteId` returns the stored note. If the stored
 * note has another conversation, author or text, the call is refused with KEY_REUSED.
 */
export async function addNote(
  { db, hub }: Pick<ChatContext, 'db' | 'hub'>,
  subject: Subject,
  conversationId: string,
  wish: { readonly noteId: string; readonly text: string },
): Promise<ChatNote | RefusedBy<'addChatNote'>> {
  const content = cleanText(wish.text)
  if (content === null) return refuse('CHAT_NOTE_INVALID')
  return acting(db, subject, 'staff:care', async (tx, author) => {
    const refusal = await judgeReader(tx, conversationId, author.userId)
    if (refusal !== null) return refusal
    const { noteId } = wish
    await writeNote(tx, { noteId, conversationId, authorId: author.userId, content, alsoTo: null })
    const { rows } = await tx.query<ChatNote & { conversation_id: string }>(
      `${NOTES.replace('select ', 'select n.conversation_id, ')} where n.id = $2`,
      [author.userId, noteId],
    )
    // Nothing was written: the conversation was merged into another one after `judgeReader` had read it.
    if (rows[0] === undefined) return refuse('CONVERSATION_NOT_FOUND')
    const { conversation_id: inId, ...note } = rows[0]
    if (inId !== conversationId || note.writtenBy.id !== author.userId || note.text !== content)
      return refuse('KEY_REUSED')
    tx.afterCommit(() => emitNote({ hub }, conversationId))
    return note
  })
}

export async function readNotes(
  db: Queryable,
  readerId: string,
  conversationId: string,
  throughId: string,
): Promise<null | RefusedBy<'readChatNotes'>> {
  const { rows } = await db.query(
    `with seen as (select created_at, id from conversation_notes where id = $3 and conversation_id = $2),
     read as (delete from conversation_mentions m using seen, conversation_notes n
       where m.user_id = $1 and n.id = m.note_id and n.conversation_id = $2
         and (n.created_at, n.id) <= (seen.created_at, seen.id))
     select 1 from seen`,
    [readerId, conversationId, throughId],
  )
  return rows.length === 0 ? refuse('NOT_FOUND') : null
}
