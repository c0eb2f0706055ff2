import type { SavedView } from '#contract/saved-views.ts'
import type { Queryable } from '#server/platform/database/db.ts'

const VIEWS_SHOWN = 200

export const VIEW_SELECT = `select v.id, v.list, v.name, v.search, v.is_shared as "isShared",
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
