import { queryOptions } from '@tanstack/react-query'
import { bookPageEndpoints } from '#contract/book-pages.ts'
import { callEndpoint } from '#web/platform/api.ts'

/** The measured rates of all closed rounds in the open book. */
export const measuredQuery = queryOptions({
  queryKey: ['book', 'rates', {}],
  queryFn: ({ signal }) => callEndpoint(bookPageEndpoints.readRates, { query: {}, signal }),
  staleTime: 60_000,
})
