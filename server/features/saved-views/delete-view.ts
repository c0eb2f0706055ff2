import type { Subject } from '#domain/identity/permissions.ts'
import { judgeParts, lockSubject } from '#server/platform/http/auth.ts'
import type { Database } from '#server/platform/database/db.ts'
import { isRefused, type RefusedBy, refuse } from '#server/platform/http/errors.ts'

/** Deletes a saved view: its maker does, and an owner where it is shared. A view that one does not see is not there. */
export async function deleteView(db: Database, subject: Subject, id: string): Promise<null | RefusedBy<'deleteView'>> {
  return db.tx(async (tx) => {
    const admin = await lockSubject(tx, subject, 'staff')
    if (isRefused(admin)) return admin
    const { rows } = await tx.query<{ owner_id: string; is_shared: boolean }>(
      `select owner_id, is_shared from saved_views where id = $1 for update`,
      [id],
    )
    const view = rows[0]
    const isOwn = view?.owner_id === admin.userId
    if (view === undefined || (!isOwn && !view.is_shared)) return refuse('NOT_FOUND')
    const refused = isOwn ? null : judgeParts(['owner'], admin)
    if (refused !== null) return refused
    await tx.query(`delete from saved_views where id = $1`, [id])
    return null
  })
}
