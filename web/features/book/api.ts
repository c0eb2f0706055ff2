import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { bookPageEndpoints, type NotedAct, type NotedKind } from '#contract/book-pages.ts'
import { bookStatusEndpoints } from '#contract/book-status.ts'
import { gameEndpoints } from '#contract/game.ts'
import { type Day, startOfDayMs, dayAfter } from '#domain/day.ts'
import { callEndpoint, type CallOutput } from '#web/platform/api.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'
import { serverNowMs } from '#web/platform/server-time.ts'

/** The filter of `notesQuery`. `from` and `to` are days in Vietnam, both inclusive. */
export type NotesFilter = {
  readonly kind?: NotedKind | undefined
  readonly act?: NotedAct | undefined
  readonly from?: Day | undefined
  readonly to?: Day | undefined
}

/** The log's entries about acts of staff, price feeds and disputes, newest first (rules §7.11). */
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

/** The measured rates of the UTC days from `from` to `to`, both inclusive. If one is absent, that side has no limit. */
export const ratesQuery = (query: { readonly from?: Day; readonly to?: Day }) => ({
  ...endpointQuery(['book'], bookPageEndpoints.readRates, { query }),
  placeholderData: keepPreviousData<CallOutput<typeof bookPageEndpoints.readRates>>,
  staleTime: 60_000,
})

export type BookStatus = CallOutput<typeof bookStatusEndpoints.readBookStatus>

/** If the newest note is older than this, something is wrong: the log publishes a note at least every 10 s. */
const OLD_MS = 60_000
export const isOld = ({ noteAtMs }: BookStatus): boolean => noteAtMs !== null && serverNowMs() - noteAtMs > OLD_MS

/** The id of the round of the player's newest decided bet, or null. At most one bet is open, so two rows suffice. */
export const lastOwnRoundQuery = {
  ...endpointQuery(
    ['book'],
    gameEndpoints.listOwnBets,
    { query: { limit: 2 } },
    ({ rows }): string | null => rows.find(({ status }) => status !== 'open')?.round.id ?? null,
  ),
  retry: false,
}

const STATUS_EVERY_MS = 5_000

/** The state of the log: the size and time of its newest note, and whether the server still signs new notes. */
export const statusQuery = {
  ...endpointQuery(['book'], bookStatusEndpoints.readBookStatus, {}),
  refetchInterval: STATUS_EVERY_MS,
}
