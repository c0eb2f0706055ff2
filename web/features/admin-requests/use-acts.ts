import { useQueryClient } from '@tanstack/react-query'
import { adminKeys } from '#web/platform/admin-keys.ts'
import { ApiError } from '#web/platform/http.ts'
import { type CashRequest, decideRequest, deleteRequest, type RequestPage } from './api.ts'

/**
 * The colleague whose earlier decision made the server refuse this one; their name is null when the server does not give
 * it. Undefined for any other error.
 */
export function firstDecider(error: unknown): { readonly name: string | null } | undefined {
  if (!(error instanceof ApiError) || error.code !== 'ALREADY_DECIDED') return undefined
  const details = (error.details ?? {}) as { readonly decidedBy?: unknown }
  return { name: typeof details.decidedBy === 'string' ? details.decidedBy : null }
}

export type RequestActs = {
  readonly approve: (request: CashRequest) => Promise<void>
  readonly reject: (request: CashRequest, reason: string) => Promise<void>
  readonly remove: (request: CashRequest) => Promise<void>
  /** Asks again for whatever shows requests. */
  readonly refresh: () => void
}

/** Acts on requests; what the server answers is on screen at once, everything else is asked for again. */
export function useRequestActs(): RequestActs {
  const queryClient = useQueryClient()
  const refresh = () => {
    for (const queryKey of [adminKeys.requests, adminKeys.overview, adminKeys.audit])
      void queryClient.invalidateQueries({ queryKey })
  }
  const show = (changed: CashRequest) => {
    queryClient.setQueriesData<RequestPage>({ queryKey: [...adminKeys.requests, 'page'] }, (page) =>
      page === undefined ? page : { ...page, rows: page.rows.map((row) => (row.id === changed.id ? changed : row)) },
    )
    refresh()
  }
  const decided = async (answer: Promise<CashRequest>) => {
    try {
      show(await answer)
    } catch (error) {
      // A colleague was first, or no answer came: the list shows what is true.
      refresh()
      throw error
    }
  }
  return {
    approve: ({ id, status }) => decided(decideRequest(id, { verdict: 'approved', from: status })),
    reject: ({ id, status }, reason) => decided(decideRequest(id, { verdict: 'rejected', reason, from: status })),
    remove: async ({ id }) => {
      try {
        await deleteRequest(id)
      } finally {
        refresh()
      }
    },
    refresh,
  }
}
