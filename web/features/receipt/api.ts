import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { bookEndpoints, type Receipt, RECEIPT_PAGE } from '#contract/book.ts'
import { type Bet, gameEndpoints } from '#contract/game.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'
import { refusalOf } from '#web/platform/http.ts'
import { hasSession } from '#web/platform/session.ts'
import type { ReceiptView } from './receipt-view.ts'

/** The refetch interval of a receipt until its round is closed. Caches also keep an answer this long (max-age=5). */
const askAgainMs = 5_000

/** The receipt of a round. Null if the log lacks the round, 'unsealed' while the round's first entry is not sealed. */
export const receiptQuery = (roundId: string) =>
  queryOptions({
    queryKey: ['receipt', roundId],
    queryFn: async ({ signal }): Promise<Receipt | 'unsealed' | null> => {
      // Without a valid round id in the address, there is nothing to ask for.
      if (!bookEndpoints.readReceipt.params.safeParse({ id: roundId }).success) return null
      try {
        return await callEndpoint(bookEndpoints.readReceipt, { params: { id: roundId }, signal })
      } catch (error) {
        const code = refusalOf<'readReceipt'>(error)?.code
        if (code === 'NOT_IN_BOOK') return null
        if (code === 'NOT_SEALED_YET') return 'unsealed'
        throw error
      }
    },
    refetchInterval: ({ state: { data } }) => (data === 'unsealed' || data?.closed === null ? askAgainMs : false),
  })

/** Lines per page on screen. RECEIPT_PAGE is a multiple of 25, so a page on screen lies within one server page. */
export const SHOWN_LINES = 25

/** A page of a receipt's lines; the first page is 1. A line is a settled bet of a closed round and never changes. */
export const linesQuery = (roundId: string, page: number) => ({
  ...endpointQuery(
    ['receipt'],
    bookEndpoints.readReceiptBets,
    { params: { id: roundId }, query: { page } },
    ({ rows }) => rows,
  ),
  staleTime: Infinity,
})

/** Returns the server's page that contains the page on screen, and the index of the first shown line within it. */
export function placeOfShown(shownPage: number): { readonly page: number; readonly from: number } {
  const first = (shownPage - 1) * SHOWN_LINES
  return { page: Math.floor(first / RECEIPT_PAGE) + 1, from: first % RECEIPT_PAGE }
}

/** The player's own bets of a round, refetched once the round is closed. Not fetched for visitors. */
export const ownBetsQuery = ({ round, closed }: ReceiptView) => {
  const { type, opens: from, closes: to } = round.entry
  return {
    ...endpointQuery(
      ['receipt', closed !== null],
      gameEndpoints.listOwnBets,
      { query: { type, from, to, limit: SHOWN_LINES } },
      ({ rows }): readonly Bet[] => rows.filter((bet) => bet.round.id === round.entry.round),
    ),
    placeholderData: keepPreviousData<readonly Bet[]>,
    enabled: hasSession(),
    staleTime: Infinity,
    retry: false,
  }
}
