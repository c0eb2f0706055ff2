import type { StaffNote } from '#contract/customer.ts'
import { cleanNote } from '#domain/customer/note.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { recordAct } from '#server/features/audit/index.ts'
import { acting } from '#server/platform/http/acting.ts'
import type { Database, Queryable } from '#server/platform/database/db.ts'
import { msSql } from '#server/platform/database/rows.ts'
import { type RefusedBy, refuse } from '#server/platform/http/errors.ts'
import { countRows, type Page } from '#server/platform/http/lists.ts'

const SELECT = `select n.id, json_build_object('id', a.id, 'username', a.username) as "writtenBy", n.text,
    ${msSql('n.created_at')} as "createdAtMs"
  from staff_notes n join users a on a.id = n.author_id`

export interface CustomerHints {
  userChanged(userId: string): void
}

export async function listNotes(db: Queryable, userId: string, { limit, offset }: Page): Promise<StaffNote[]> {
  const { rows } = await db.query<StaffNote>(
    `${SELECT} where n.user_id = $1 order by n.created_at desc, n.id desc limit $2 offset $3`,
    [userId, limit + 1, offset],
  )
  return rows
}

export const countNotes = (db: Queryable, userId: string, cap: number): Promise<number> =>
  countRows(db, ({ add }) => `select 1 from staff_notes where user_id = ${add(userId)} limit ${add(cap)}`)

/**
 * Adds a staff note about a customer. The audit log records that a note was written, not its text (rules §4.9). A
 * repeat of the same call returns the stored note.
 */
export async function addNote(
  { db, hints }: { readonly db: Database; readonly hints: CustomerHints },
  subject: Subject,
  userId: string,
  wish: { readonly noteId: string; readonly text: string },
): Promise<StaffNote | RefusedBy<'addCustomerNote'>> {
  const text = cleanNote(wish.text)
  if (text === null) return refuse('NOTE_INVALID')
  if (userId === subject.userId) return refuse('NOT_YOURSELF')
  return acting(db, subject, 'staff', async (tx, author) => {
    // An admin without any capability may only read (rules §4.5).
    if (author.capabilities.length === 0) return refuse('CAPABILITY_MISSING')
    const { rowCount } = await tx.query(
      `insert into staff_notes (id, user_id, author_id, text) select $1, u.id, $3, $4 from users u where u.id = $2
         on conflict (id) do nothing`,
      [wish.noteId, userId, author.userId, text],
    )
    const { rows } = await tx.query<StaffNote & { user_id: string }>(
      `${SELECT.replace('select ', 'select n.user_id, ')} where n.id = $1`,
      [wish.noteId],
    )
    if (rows[0] === undefined) return refuse('NOT_FOUND')
    const { user_id: aboutId, ...note } = rows[0]
    if (aboutId !== userId || note.writtenBy.id !== author.userId || note.text !== text) return refuse('KEY_REUSED')
    if (rowCount === 1) {
      tx.afterCommit(() => hints.userChanged(userId))
      await recordAct(tx, author.userId, 'user.note', `user:${userId}`)
    }
    return note
  })
}
