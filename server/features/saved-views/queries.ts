import type { SavedView } from '#contract/saved-views.ts'
import type { Queryable, Row } from '#server/platform/database/db.ts'

const VIEWS_SHOWN = 200

export interface ViewRow extends Row {
  id: string
  list: string
  name: string
  search: SavedView['search']
  is_shared: boolean
  owner_id: string
  owner_name: string
}

export const VIEW_SELECT = `select v.id, v.list, v.name, v.search, v.is_shared, v.owner_id, u.username as owner_name
  from saved_views v join users u on u.id = v.owner_id`

export const toView = (row: ViewRow): SavedView => ({
  id: row.id,
  list: row.list,
  name: row.name,
  search: row.search,
  isShared: row.is_shared,
  maker: { id: row.owner_id, username: row.owner_name },
})

export async function listViews(db: Queryable, userId: string, list: string): Promise<SavedView[]> {
  const { rows } = await db.query<ViewRow>(
    `${VIEW_SELECT} where v.list = $1 and (v.owner_id = $2 or v.is_shared)
      order by v.owner_id <> $2, v.name_key, v.id limit ${VIEWS_SHOWN}`,
    [list, userId],
  )
  return rows.map(toView)
}
