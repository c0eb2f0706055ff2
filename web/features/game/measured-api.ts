import { bookPageEndpoints } from '#contract/book-pages.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'

/** The measured rates of all closed rounds in the open book. */
export const measuredQuery = {
  ...endpointQuery(['book'], bookPageEndpoints.readRates, { query: {} }),
  staleTime: 60_000,
}
