import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import {
  changeView,
  type FilterSpecs,
  readView,
  type TableSearch,
  type TableSpec,
  type TableView,
  type ViewChange,
  writeView,
} from './table-search.ts'

export type TableAddress<Filters extends FilterSpecs> = {
  readonly spec: TableSpec<Filters>
  readonly view: TableView<Filters>
  /** Goes to the changed view. `isTyping` keeps no step to go back to. */
  readonly change: (change: ViewChange<Filters>, options?: { readonly isTyping?: boolean }) => void
  /** The address's parameters as they stand, and going to others: for saved views. */
  readonly search: TableSearch
  readonly goTo: (search: TableSearch) => void
}

/**
 * A list's view from the address, and back into it: it survives a reload, can be sent to a colleague, and the browser's
 * back button undoes it.
 * @param spec a constant of the module
 */
export function useTableSearch<Filters extends FilterSpecs>(spec: TableSpec<Filters>): TableAddress<Filters> {
  const raw: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  const navigate = useNavigate()
  return useMemo(() => {
    const view = readView(raw, spec)
    const goTo = (search: TableSearch, isTyping = false) =>
      void navigate({ to: '.', search, replace: isTyping, resetScroll: false })
    return {
      spec,
      view,
      change: (change, options) => goTo(writeView(changeView(view, change), spec), options?.isTyping ?? false),
      search: writeView(view, spec),
      goTo: (search) => goTo(writeView(readView(search, spec), spec)),
    }
  }, [raw, spec, navigate])
}
