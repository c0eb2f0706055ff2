import type { StaffAccess, Subject } from '#domain/identity/permissions.ts'
import type { Database } from '#server/platform/database/db.ts'
import { actingOnce } from './acting.ts'
import { judgeParts } from './auth.ts'
import { refuse } from './errors.ts'

/**
 * Deletes a row that the admin owns or, with the capability `owner`, a shared row of another admin. Another admin's row
 * that is not shared counts as missing.
 * @param table with the columns id, owner_id and is_shared
 */
export const deleteOwnOrShared = (
  db: Database,
  subject: Subject,
  access: StaffAccess,
  table: 'saved_views' | 'canned_replies',
  id: string,
) =>
  actingOnce(db, subject, access, async (tx, admin) => {
    const { rows } = await tx.query<{ owner_id: string; is_shared: boolean }>(
      `select owner_id, is_shared from ${table} where id = $1 for update`,
      [id],
    )
    const row = rows[0]
    const isOwn = row?.owner_id === admin.userId
    if (row === undefined || (!isOwn && !row.is_shared)) return refuse('NOT_FOUND')
    const refused = isOwn ? null : judgeParts(['owner'], admin)
    if (refused !== null) return refused
    await tx.query(`delete from ${table} where id = $1`, [id])
    return null
  })
