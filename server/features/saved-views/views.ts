import type { SavedView } from '#contract/saved-views.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { cleanViewName, viewNameKey, VIEWS_MAX } from '#domain/saved-views/view-name.ts'
import { actingOnce } from '#server/platform/http/acting.ts'
import type { Database, Queryable } from '#server/platform/database/db.ts'
import { refuse } from '#server/platform/http/errors.ts'
import { newId } from '#server/platform/process/ids.ts'

const VIEWS_SHOWN = 200

const VIEW_SELECT = `select v.id, v.list, v.name, v.search, v.is_shared as "isShared",
    json_build_object('id', u.id, 'username', u.username) as maker
  from saved_views v join users u on u.id = v.owner_id`

export async function listViews(db: Queryable, userId: string, list: string): Promise<SavedView[]> {
  const { rows } = await db.query<SavedView>(
    `${VIEW_SELECT} where v.list = $1 and (v.owner_id = $2 or v.is_shared)
      order by v.owner_id <> $2, v.name_key, v.id limit ${VIEWS_SHOWN}`,
    [list, userId],
  )
  return rows
}

/**
 * Saves a view, or returns the equal existing view (rules §6.11). `actingOnce` locks the admin's row, so that two calls
 * at the same time cannot save the same name twice.
 */
export const saveView = (
  db: Database,
  subject: Subject,
  wish: Pick<SavedView, 'list' | 'name' | 'search' | 'isShared'>,
) =>
  actingOnce(db, subject, 'staff', async (tx, maker) => {
    // Sharing a view needs at least one capability, no matter which (rules §6.11).
    if (wish.isShared && maker.capabilities.length === 0) return refuse('CAPABILITY_MISSING')
    const name = cleanViewName(wish.name)
    if (name === null) return refuse('VIEW_NAME_INVALID')
    const { list, isShared } = wish
    const search = JSON.stringify(wish.search)
    const named = await tx.query<SavedView & { is_same: boolean }>(
      `${VIEW_SELECT.replace('select ', 'select v.name = $4 and v.search = $5::jsonb and v.is_shared = $6 as is_same, ')}
        where v.owner_id = $1 and v.list = $2 and v.name_key = $3`,
      [maker.userId, list, viewNameKey(name), name, search, isShared],
    )
    if (named.rows[0] !== undefined) {
      const { is_same: isSame, ...there } = named.rows[0]
      return isSame ? there : refuse('VIEW_NAME_TAKEN')
    }
    const id = newId()
    const { rowCount } = await tx.query(
      `insert into saved_views (id, list, owner_id, name, name_key, search, is_shared)
       select $1, $2, $3, $4, $5, $6::jsonb, $7
        where (select count(*) from saved_views where owner_id = $3) < $8`,
      [id, list, maker.userId, name, viewNameKey(name), search, isShared, VIEWS_MAX],
    )
    if (rowCount === 0) return refuse('TOO_MANY_VIEWS')
    return { id, list, name, search: wish.search, isShared, maker: { id: maker.userId, username: maker.username } }
  })
