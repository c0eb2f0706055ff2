import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PAGE_LIMIT_MAX } from '#contract/limits.ts'
import { holdRows, missingIds, type RowFacts } from './held-rows.ts'

export type AskForRows<Row> = (ids: readonly string[]) => {
  readonly queryKey: readonly unknown[]
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<readonly Row[]>
}

export type HoldOptions<Row> = RowFacts<Row> & {
  /** Identifies the page: with another key the next answer is shown at once. */
  readonly viewKey: string
  /** The newest answer for this page; undefined until the first one. */
  readonly fresh: readonly Row[] | undefined
  /** Requests rows that left the page; without it they stay in their last known state. */
  readonly askFor: AskForRows<Row> | undefined
}

export type Held<Row> = {
  /** Undefined until the first answer. */
  readonly rows: readonly Row[] | undefined
  readonly arrived: number
  readonly isMoved: boolean
  /** The rows on screen that are no longer in the list. */
  readonly left: readonly Row[]
  readonly show: () => void
  /** Drops a row that the user has just removed. */
  readonly drop: (id: string) => void
}

const noQuery = { queryKey: ['no rows'] as readonly unknown[], queryFn: () => Promise.resolve([]) }
const none: readonly never[] = []

/** Keeps the rows on screen where they are; see held-rows.ts. */
export function useHeldRows<Row>({ viewKey, fresh: answered, askFor, ...facts }: HoldOptions<Row>): Held<Row> {
  // An answer that still contains the rows may be older than their removal.
  const [dropped, setDropped] = useState<readonly string[]>(none)
  const fresh = dropped.length === 0 ? answered : answered?.filter((row) => !dropped.includes(facts.rowId(row)))
  const [kept, setKept] = useState<{ readonly viewKey: string; readonly rows: readonly Row[] }>()
  const held = kept?.viewKey === viewKey ? kept.rows : undefined
  const missing =
    held === undefined || fresh === undefined ? [] : missingIds(held, fresh, facts.rowId).slice(-PAGE_LIMIT_MAX)
  const isAsking = askFor !== undefined && missing.length > 0
  const away = useQuery<readonly Row[]>({ ...(isAsking ? askFor(missing) : noQuery), enabled: isAsking })

  // The previous page, until this one's answer arrives.
  if (fresh === undefined)
    return { rows: held ?? kept?.rows, arrived: 0, isMoved: false, left: none, show: () => {}, drop: () => {} }

  // Of more rows than a call may ask for, the others stay as they were.
  const unasked = held?.filter((row) => !missing.includes(facts.rowId(row))) ?? none
  const elsewhere =
    missing.length === 0 ? none : isAsking && away.data !== undefined ? [...unasked, ...away.data] : undefined
  const { rows, arrived, isMoved, left } = holdRows(held ?? fresh, fresh, elsewhere, facts)
  // Stored in their latest known state, so that a row does not fall back to an older state during a request.
  if (held === undefined || rows.length !== held.length || rows.some((row, at) => row !== held[at]))
    setKept({ viewKey, rows })
  return {
    rows,
    arrived,
    isMoved,
    left,
    show: () => setKept({ viewKey, rows: fresh }),
    drop: (id) => {
      setDropped([...dropped, id])
      setKept({ viewKey, rows: rows.filter((row) => facts.rowId(row) !== id) })
    },
  }
}
