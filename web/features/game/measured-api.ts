import { bookPageEndpoints } from '#contract/book-pages.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'

export const measuredQuery = {
  ...endpointQuery(['book'], bookPageEndpoints.readRates, { query: {} }),
  staleTime: 60_000,
}
