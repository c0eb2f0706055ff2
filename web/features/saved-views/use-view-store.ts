import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Me } from '#contract/identity.ts'
import type { ViewStore } from '#web/lists/saved-views.ts'

/** The code of the server calls is imported on demand, so that the code of the list on screen is fetched first. */
const calls = () => import('./api.ts')

const viewsKey = (list: string) => ['admin', 'views', list] as const

/** Returns access to the saved views that the signed-in admin can see. The server stores them (rules §6.11). */
export function useViewStore({ id: meId, capabilities = [] }: Pick<Me, 'id' | 'capabilities'>): ViewStore {
  const client = useQueryClient()
  const isOwner = capabilities.includes('owner')
  const mayShare = capabilities.length > 0
  return useMemo(() => {
    const refresh = () => client.invalidateQueries({ queryKey: viewsKey('').slice(0, 2) })
    return {
      mayShare,
      viewsQuery: (list) => ({
        queryKey: viewsKey(list),
        queryFn: async ({ signal }) => {
          const rows = await (await calls()).listViews(list, signal)
          return rows.map(({ id, name, search, isShared, maker }) => ({
            id,
            name,
            search,
            isShared,
            maker: maker.id === meId ? null : maker.username,
            mayDelete: maker.id === meId || isOwner,
          }))
        },
      }),
      save: async (list, view) => {
        await (await calls()).saveView({ list, ...view })
        await refresh()
      },
      remove: async ({ id }) => {
        await (await calls()).deleteView(id)
        await refresh()
      },
    }
  }, [client, meId, isOwner, mayShare])
}
