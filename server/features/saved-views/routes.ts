import { savedViewEndpoints } from '#contract/saved-views.ts'
import type { Database } from '#server/platform/database/db.ts'
import type { Api } from '#server/platform/http/http.ts'
import { deleteOwnOrShared } from '#server/platform/http/own-or-shared.ts'
import { listViews, saveView } from './views.ts'

export function registerSavedViews(api: Api, db: Database): void {
  api.handle(savedViewEndpoints.listViews, ({ subject, query: { list } }) => listViews(db, subject.userId, list))
  api.handle(savedViewEndpoints.saveView, ({ subject, body }) => saveView(db, subject, body))
  api.handle(savedViewEndpoints.deleteView, ({ subject, params: { id } }) =>
    deleteOwnOrShared(db, subject, 'staff', 'saved_views', id),
  )
}
