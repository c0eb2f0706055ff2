import { queryOptions } from '@tanstack/react-query'
import { backOfficeEndpoints, type Overview } from '#contract/back-office.ts'
import { adminKeys } from '#web/ui/data-table/admin-keys.ts'
import { callEndpoint } from '#web/platform/api.ts'

export type { Overview } from '#contract/back-office.ts'

const refetchMs = 5_000

export const overviewQuery = queryOptions({
  queryKey: adminKeys.overview,
  queryFn: async ({ signal }): Promise<Omit<Overview, 'serverTimeMs'>> => {
    // Drops the server's time, so that an answer without news equals the answer before it.
    const { serverTimeMs: _, ...overview } = await callEndpoint(backOfficeEndpoints.overview, { signal })
    return overview
  },
  refetchInterval: refetchMs,
})
