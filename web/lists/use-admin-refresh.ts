import { useQueryClient } from '@tanstack/react-query'
import { adminKeys } from './admin-keys.ts'
import type { ListPage } from '#web/platform/api.ts'

type List = keyof typeof adminKeys

export function useAdminRefresh(...lists: readonly List[]): () => void {
  const queryClient = useQueryClient()
  return () => {
    for (const list of lists) void queryClient.invalidateQueries({ queryKey: adminKeys[list] })
  }
}

/**
 * Returns a function that waits for an act on a row. The row is shown as the server returned it. The lists are refetched,
 * also after a refusal or a lost answer (rules §3.5), so that they show the current state.
 */
export function useShownAct<Row extends { readonly id: string }>(list: List, ...others: readonly List[]) {
  const refresh = useAdminRefresh(list, ...others)
  const showRow = useShowRow<Row>(list)
  return async (act: Promise<Row>): Promise<Row> => {
    try {
      const row = await act
      showRow(row)
      return row
    } finally {
      refresh()
    }
  }
}

export function useShowRow<Row extends { readonly id: string }>(list: List): (changed: Row) => void {
  const queryClient = useQueryClient()
  return (changed) =>
    queryClient.setQueriesData<ListPage<Row[]>>({ queryKey: [...adminKeys[list], 'page'] }, (page) =>
      page === undefined ? page : { ...page, rows: page.rows.map((row) => (row.id === changed.id ? changed : row)) },
    )
}
