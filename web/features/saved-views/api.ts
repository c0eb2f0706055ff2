import { type SavedView, savedViewEndpoints } from '#contract/saved-views.ts'
import { callEndpoint } from '#web/platform/api.ts'
import type { TableSearch } from '#web/lists/table-search.ts'

export type ViewWish = Pick<SavedView, 'list' | 'name' | 'isShared'> & { readonly search: TableSearch }

export const listViews = (list: string, signal: AbortSignal): Promise<SavedView[]> =>
  callEndpoint(savedViewEndpoints.listViews, { query: { list }, signal })

export const saveView = ({ search, ...view }: ViewWish): Promise<SavedView> => {
  const said = Object.entries(search).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  return callEndpoint(savedViewEndpoints.saveView, { body: { ...view, search: Object.fromEntries(said) } })
}

export const deleteView = (id: string): Promise<null> => callEndpoint(savedViewEndpoints.deleteView, { params: { id } })
