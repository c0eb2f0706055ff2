import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { rowsAtFirst } from './rows-at-first.ts'
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
  /** Navigates to the changed view. `isTyping` replaces the history entry instead of adding one. */
  readonly change: (change: ViewChange<Filters>, options?: { readonly isTyping?: boolean }) => void
  readonly search: TableSearch
  readonly goTo: (search: TableSearch) => void
}

/** Reads a list's view from the address. `spec` has to be the same object in each render. */
export function useTableSearch<Filters extends FilterSpecs>(spec: TableSpec<Filters>): TableAddress<Filters> {
  const raw: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  const navigate = useNavigate()
  const [atFirst] = useState(() => rowsAtFirst(spec))
  return useMemo(() => {
    const view = readView(raw, spec, atFirst)
    // On a page with several lists, `part` names the list on screen. The other parameters are of that list.
    const { part } = raw
    const kept = typeof part === 'string' ? { part } : {}
    const goTo = (search: TableSearch, isTyping = false) =>
      void navigate({ to: '.', search: { ...kept, ...search }, replace: isTyping, resetScroll: false })
    return {
      spec,
      view,
      change: (change, options) =>
        goTo(writeView(changeView(view, change, spec), spec, atFirst), options?.isTyping ?? false),
      search: writeView({ ...view, page: 1 }, spec, atFirst),
      goTo: (search) => goTo(writeView(readView(search, spec, atFirst), spec, atFirst)),
    }
  }, [raw, spec, navigate, atFirst])
}
