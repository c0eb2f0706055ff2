import { queryOptions } from '@tanstack/react-query'
import { type Found, finderEndpoints } from '#contract/finder.ts'
import { callEndpoint } from '#web/platform/api.ts'

export type { Found } from '#contract/finder.ts'

/** What is found may change, but not while somebody types. */
const foundStaleMs = 10_000

export const findQuery = (q: string) =>
  queryOptions({
    queryKey: ['admin', 'find', q],
    queryFn: ({ signal }): Promise<Found> => callEndpoint(finderEndpoints.find, { query: { q }, signal }),
    staleTime: foundStaleMs,
  })
