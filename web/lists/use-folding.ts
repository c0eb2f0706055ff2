import { useEffect, useEffectEvent } from 'react'
import type { Held } from './held-rows.ts'
import { focusedRowId, focusRow, isCovered } from './shortcuts.ts'

const seenS = 5

export type FoldingOptions<Row> = {
  readonly held: Held<Row>
  readonly rowId: (row: Row) => string
  readonly isDone: (row: Row) => boolean
}

/**
 * Lets a done row that left the list stay on screen for five seconds, in its new state. Then the row is dropped. The
 * focus of a dropped row moves to the next row that stays, or else to the previous one.
 */
export function useFolding<Row>({ held, rowId, isDone }: FoldingOptions<Row>): void {
  const { rows = [], left, drop } = held
  const ids = left.filter(isDone).map(rowId)
  const key = ids.join()
  const fold = useEffectEvent(() => {
    const focused = focusedRowId(document.body)
    const from = rows.findIndex((row) => rowId(row) === focused)
    const stays = (row: Row) => !ids.includes(rowId(row))
    const next = rows.slice(from + 1).find(stays) ?? rows.slice(0, Math.max(0, from)).findLast(stays)
    if (focused !== undefined && ids.includes(focused) && next !== undefined) focusRow(rowId(next))
    drop(...ids)
  })
  useEffect(() => {
    if (key === '') return undefined
    let seen = 0
    const timer = setInterval(() => {
      // Count from 0 again while a dialog or menu is open: when it closes, it may return the focus to a done row.
      seen = isCovered() ? 0 : seen + 1
      if (seen === seenS) fold()
    }, 1_000)
    return () => clearInterval(timer)
  }, [key])
}
