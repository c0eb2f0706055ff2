import { createContext } from 'react'
import type { TableSearch } from './table-search.ts'

export type SavedView = {
  readonly id: string
  readonly name: string
  readonly search: TableSearch
  readonly isShared: boolean
  /** The name of the admin who saved the view; null for the signed-in admin. */
  readonly maker: string | null
  readonly mayDelete: boolean
}

export type ViewStore = {
  readonly viewsQuery: (tableId: string) => {
    readonly queryKey: readonly unknown[]
    readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<readonly SavedView[]>
  }
  readonly mayShare: boolean
  readonly save: (
    tableId: string,
    view: { readonly name: string; readonly search: TableSearch; readonly isShared: boolean },
  ) => Promise<void>
  readonly remove: (view: SavedView) => Promise<void>
}

export const ViewStoreContext = createContext<ViewStore | null>(null)
