import { use, useRef, useState } from 'react'
import { failureText, isRetryable, refusalOf } from '#web/platform/http.ts'
import { LeaveSelectionContext } from './use-selection.ts'

/** The outcome for a row. A row without an outcome was not tried, or its failure ended the run. */
export type BulkResult = { readonly isDone: boolean; readonly isOver?: boolean; readonly text: string }

/** Returns true if another try of the row makes sense. */
export const isLeft = (result: BulkResult | undefined): boolean => result?.isDone !== true && result?.isOver !== true

export type BulkRun<Row> = {
  readonly phase: 'asking' | 'running' | 'done'
  readonly rows: readonly Row[]
  readonly results: ReadonlyMap<string, BulkResult>
  /** The message of the failure that ended the run; null if none did. */
  readonly stoppedBy: string | null
  readonly isStopping: boolean
  readonly start: (rows: readonly Row[]) => void
  readonly retry: () => void
  readonly stop: () => void
}

export type BulkRunOptions<Row> = {
  readonly rowId: (row: Row) => string
  /** Acts on a row. A retry has to read the row's current state first, since the first try may have worked. */
  readonly act: (row: Row, isRetry: boolean) => Promise<string>
  readonly failText: string | ((error: unknown) => string)
  /** True if somebody else has done the act already. The row then leaves the selection. */
  readonly isOver?: (error: unknown) => boolean
  readonly atOnce?: number
  readonly onSettled?: () => void
}

/**
 * Acts on many rows by one call per row, so that the rules of the single act hold (rules §6.1). A refusal is the
 * outcome of its row. A failure that every row would meet ends the run.
 */
export function useBulkRun<Row>({
  rowId,
  act,
  failText,
  isOver = () => false,
  atOnce = 4,
  onSettled,
}: BulkRunOptions<Row>): BulkRun<Row> {
  const [state, setState] = useState<Pick<BulkRun<Row>, 'phase' | 'rows' | 'results' | 'stoppedBy' | 'isStopping'>>({
    phase: 'asking',
    rows: [],
    results: new Map(),
    stoppedBy: null,
    isStopping: false,
  })
  const isStopped = useRef(false)
  const leaveSelection = use(LeaveSelectionContext)
  const run = async (tried: readonly Row[], isRetry: boolean) => {
    isStopped.current = false
    const waiting = [...tried]
    const settled = new Set<string>()
    const record = (row: Row, result: BulkResult) =>
      setState((now) => ({ ...now, results: new Map(now.results).set(rowId(row), result) }))
    const work = async () => {
      for (let row = waiting.shift(); row !== undefined && !isStopped.current; row = waiting.shift()) {
        try {
          record(row, { isDone: true, text: await act(row, isRetry) })
          settled.add(rowId(row))
        } catch (error) {
          const isPast = isOver(error)
          if (isPast) settled.add(rowId(row))
          const text = typeof failText === 'string' ? failureText(error, failText) : failText(error)
          if (mayNextFareBetter(error)) record(row, { isDone: false, isOver: isPast, text })
          else {
            isStopped.current = true
            setState((now) => ({ ...now, stoppedBy: text }))
          }
        }
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    setState((now) => ({ ...now, phase: 'done', isStopping: false }))
    leaveSelection(settled, settled.size < tried.length)
    onSettled?.()
  }
  return {
    ...state,
    start: (rows) => {
      setState({ phase: 'running', rows, results: new Map(), stoppedBy: null, isStopping: false })
      void run(rows, false)
    },
    retry: () => {
      const left = state.rows.filter((row) => isLeft(state.results.get(rowId(row))))
      const done = new Map([...state.results].filter(([, result]) => !isLeft(result)))
      setState({ ...state, phase: 'running', results: done, stoppedBy: null, isStopping: false })
      void run(left, true)
    },
    stop: () => {
      isStopped.current = true
      setState((now) => ({ ...now, isStopping: true }))
    },
  }
}

/** Returns false for failures that other rows would meet, too: no answer, 408, 5xx, 401, 403, 429. */
function mayNextFareBetter(error: unknown): boolean {
  const { status } = refusalOf(error) ?? {}
  return status !== undefined && !isRetryable(error) && ![401, 403, 429].includes(status)
}
