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

export function useShowRow<Row extends { readonly id: string }>(list: List): (changed: Row) => void {
  const queryClient = useQueryClient()
  return (changed) =>
    queryClient.setQueriesData<ListPage<Row[]>>({ queryKey: [...adminKeys[list], 'page'] }, (page) =>
      page === undefined ? page : { ...page, rows: page.rows.map((row) => (row.id === changed.id ? changed : row)) },
    )
}
