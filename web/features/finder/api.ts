import { finderEndpoints } from '#contract/finder.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'

export type { Found } from '#contract/finder.ts'

/** What is found may change, but not while somebody types. */
const foundStaleMs = 10_000

export const findQuery = (q: string) => ({
  ...endpointQuery(['admin'], finderEndpoints.find, { query: { q } }),
  staleTime: foundStaleMs,
})
