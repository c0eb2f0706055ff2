import { useEffect, useRef, useState } from 'react'
import { focusRow } from '#web/lists/shortcuts.ts'
import type { FilterSpecs } from '#web/lists/table-search.ts'
import type { AdminList } from '#web/lists/use-admin-list.ts'
import { type PageStep, usePageStep } from '#web/lists/use-page-step.ts'
import type { CashRequest } from './api.ts'
import type { RequestAct } from './request-act.ts'
import type { WalkProps } from './walk.tsx'

/**
 * Returns the open dialog and the steps from its request to the neighbours in the list, across pages. A step opens the
 * neighbour's details, so that no single key decides a request that the admin has not read.
 * @param isNext returns whether a request may be offered as the next one after a decision
 */
export function useWalk<Filters extends FilterSpecs>(
  list: AdminList<CashRequest, Filters>,
  isNext: (request: CashRequest) => boolean,
) {
  const [act, setAct] = useState<RequestAct>()
  const {
    held,
    state,
    address: { view },
  } = list
  const pages = usePageStep(list)
  const rows = held.rows ?? []
  const shown = act === undefined || act.kind === 'bulk' ? undefined : act.seen.id
  const at = rows.findIndex(({ id }) => id === shown)
  const show = (row: CashRequest) => setAct({ kind: 'details', seen: row })
  const stepTo = (row: CashRequest | undefined, onwards: PageStep<CashRequest>['forward']) => {
    // While the request is not among the rows, as during a step to another page, the neighbours are unknown.
    if (at === -1) return undefined
    if (row !== undefined) return () => show(row)
    return onwards === undefined ? undefined : () => onwards(show)
  }
  useFocusOnLast(act)
  const place = (view.page - 1) * view.limit + at + 1
  const walk: WalkProps = {
    place,
    // Decided rows that left the list are still on screen (`held.left`), but the server does not count them.
    total: Math.max(place, (state.meta?.total ?? 0) + held.left.length),
    isMoving: at === -1,
    onPrevious: stepTo(at > 0 ? rows[at - 1] : undefined, pages.back),
    onNext: stepTo(rows[at + 1], pages.forward),
  }
  return {
    act,
    setAct,
    walk,
    offerNext: (decided: CashRequest) => {
      const from = rows.findIndex(({ id }) => id === decided.id)
      const next = [...rows.slice(from + 1), ...rows.slice(0, Math.max(0, from))].find(isNext)
      if (next === undefined) setAct(undefined)
      else show(next)
    },
  }
}

/**
 * After several dialogs in a row, moves the focus to the row of the last request. The focus must not return to the
 * element that opened the last dialog: this element is in a dialog that is gone, or in the row of another request.
 */
function useFocusOnLast(act: RequestAct | undefined): void {
  const last = useRef<RequestAct>(undefined)
  const isWalk = useRef(false)
  useEffect(() => {
    if (act !== undefined) {
      isWalk.current = last.current !== undefined
      last.current = act
      return undefined
    }
    const closed = last.current
    last.current = undefined
    if (!isWalk.current || closed === undefined || closed.kind === 'bulk') return undefined
    // The timer runs after the closed dialog has tried to return the focus.
    const timer = setTimeout(() => focusRow(closed.seen.id))
    return () => clearTimeout(timer)
  }, [act])
}
