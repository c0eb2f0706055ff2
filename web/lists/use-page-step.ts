import type { RowData } from '@tanstack/react-table'
import { useEffect, useRef } from 'react'
import { pageCount } from './pager.tsx'
import type { FilterSpecs } from './table-search.ts'
import type { AdminList } from './use-admin-list.ts'

type Step<Row> = {
  readonly from: number
  readonly to: number
  readonly onRow: (row: Row) => void
}

export type PageStep<Row> = {
  readonly forward: ((onRow: (row: Row) => void) => void) | undefined
  readonly back: ((onRow: (row: Row) => void) => void) | undefined
}

/** Moves to the first row of the next page or to the last row of the previous page. */
export function usePageStep<Row extends RowData, Filters extends FilterSpecs>({
  address: { view, change },
  held,
  state,
}: AdminList<Row, Filters>): PageStep<Row> {
  const running = useRef<Step<Row>>(undefined)
  const { page, limit } = view
  const { meta, error, isStale } = state
  const { rows } = held
  useEffect(() => {
    const step = running.current
    if (step === undefined || page === step.from || (page === step.to && isStale)) return
    running.current = undefined
    if (page !== step.to || error !== null) return
    const row = step.to > step.from ? rows?.[0] : rows?.at(-1)
    if (row !== undefined) step.onRow(row)
  }, [page, isStale, error, rows])
  const goTo = (to: number, onRow: (row: Row) => void) => {
    running.current = { from: page, to, onRow }
    // Replace the history entry, so that the back button leaves the list instead of going back page by page.
    change({ page: to }, { isTyping: true })
  }
  const hasNext = meta !== undefined && (page < pageCount(meta, limit) || meta.hasMore)
  return {
    forward: hasNext ? (onRow) => goTo(page + 1, onRow) : undefined,
    back: page > 1 ? (onRow) => goTo(page - 1, onRow) : undefined,
  }
}

/** Returns true while the view is beyond the last page, and then navigates to the last page. */
export function useReturnToLastPage<Row extends RowData, Filters extends FilterSpecs>({
  address: { view, change },
  held,
  state,
}: AdminList<Row, Filters>): boolean {
  const pages = state.meta === undefined ? undefined : pageCount(state.meta, view.limit)
  const isBeyond = !state.isStale && held.rows?.length === 0 && pages !== undefined && view.page > pages
  useEffect(() => {
    if (isBeyond) change({ page: pages }, { isTyping: true })
  }, [isBeyond, pages, change])
  return isBeyond
}
