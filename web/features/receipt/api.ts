import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { bookEndpoints, type Receipt, RECEIPT_PAGE } from '#contract/book.ts'
import { type Bet, gameEndpoints } from '#contract/game.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'
import { refusalOf } from '#web/platform/http.ts'
import { hasSession } from '#web/platform/session.ts'
import type { ReceiptView } from './receipt-view.ts'

/** As old as the server's own copy of an open round may be. */
const askAgainMs = 5_000

/** Null for a round that is not in the log, 'unsealed' while its first entry waits for the beat. */
export const receiptQuery = (roundId: string) =>
  queryOptions({
    queryKey: ['receipt', roundId],
    queryFn: async ({ signal }): Promise<Receipt | 'unsealed' | null> => {
      // An address that names no round is not in the book either.
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

/** Has to divide RECEIPT_PAGE. */
export const SHOWN_LINES = 25

/** A page of the receipt, from 1: the settled bets of a closed round. */
export const linesQuery = (roundId: string, page: number) => ({
  ...endpointQuery(
    ['receipt'],
    bookEndpoints.readReceiptBets,
    { params: { id: roundId }, query: { page } },
    ({ rows }) => rows,
  ),
  staleTime: Infinity,
})

/** The receipt's page that holds a page of the screen, and the place in it. */
export function placeOfShown(shownPage: number): { readonly page: number; readonly from: number } {
  const first = (shownPage - 1) * SHOWN_LINES
  return { page: Math.floor(first / RECEIPT_PAGE) + 1, from: first % RECEIPT_PAGE }
}

/** The player's bets of a round, fetched once more when it is closed; none for visitors and staff. */
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
