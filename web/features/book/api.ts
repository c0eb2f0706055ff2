import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { bookPageEndpoints, type NotedAct, type NotedKind } from '#contract/book-pages.ts'
import { bookStatusEndpoints } from '#contract/book-status.ts'
import { type Day, startOfDayMs, dayAfter } from '#domain/day.ts'
import { callEndpoint, type CallOutput } from '#web/platform/api.ts'

/** What the list shows; days are Vietnam's, both included. */
export type NotesFilter = {
  readonly kind?: NotedKind | undefined
  readonly act?: NotedAct | undefined
  readonly from?: Day | undefined
  readonly to?: Day | undefined
}

/** Acts of staff, feed closings and disputes in the log, the newest first. */
export const notesQuery = ({ kind, act, from, to }: NotesFilter) =>
  infiniteQueryOptions({
    queryKey: ['book', 'notes', { kind, act, from, to }],
    queryFn: ({ signal, pageParam }) =>
      callEndpoint(bookPageEndpoints.listNoted, {
        query: {
          ...(kind !== undefined && { kind }),
          ...(act !== undefined && { act }),
          ...(from !== undefined && { from: startOfDayMs(from) }),
          ...(to !== undefined && { to: startOfDayMs(dayAfter(to)) }),
          ...(pageParam !== null && { after: pageParam }),
        },
        signal,
      }),
    initialPageParam: null as { readonly log: number; readonly index: number } | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })

/** Measured rates; UTC days, both included, or everything. */
export const ratesQuery = (range: { readonly from?: Day; readonly to?: Day }) =>
  queryOptions({
    queryKey: ['book', 'rates', range],
    queryFn: ({ signal }) => callEndpoint(bookPageEndpoints.readRates, { query: range, signal }),
    placeholderData: keepPreviousData,
    // The figures of a day change slowly.
    staleTime: 60_000,
  })

export type BookStatus = CallOutput<typeof bookStatusEndpoints.readBookStatus>

/** A new note comes every 10 s at least. */
const STATUS_EVERY_MS = 5_000

/** The newest note of the log, and whether it is being signed. */
export const statusQuery = queryOptions({
  queryKey: ['book', 'status'],
  queryFn: ({ signal }) => callEndpoint(bookStatusEndpoints.readBookStatus, { signal }),
  refetchInterval: STATUS_EVERY_MS,
})
