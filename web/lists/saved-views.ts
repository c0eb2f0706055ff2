import { createContext } from 'react'
import type { TableSearch } from './table-search.ts'

/** A list's view under a name. */
export type SavedView = {
  readonly id: string
  readonly name: string
  readonly search: TableSearch
  readonly isShared: boolean
  /** The admin who saved it; null for the signed-in admin. */
  readonly maker: string | null
  readonly mayDelete: boolean
}

/** Keeps views of lists; a list is named by its id. */
export type ViewStore = {
  readonly viewsQuery: (tableId: string) => {
    readonly queryKey: readonly unknown[]
    /** The own ones first. */
    readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<readonly SavedView[]>
  }
  /** Whether the signed-in admin may save for the team. */
  readonly mayShare: boolean
  readonly save: (
    tableId: string,
    view: { readonly name: string; readonly search: TableSearch; readonly isShared: boolean },
  ) => Promise<void>
  readonly remove: (view: SavedView) => Promise<void>
}

/** The frame of the back office gives it; a list that is drawn alone has no views. */
export const ViewStoreContext = createContext<ViewStore | null>(null)
