import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { bookEndpoints, type Receipt, RECEIPT_PAGE } from '#contract/book.ts'
import { type Bet, gameEndpoints } from '#contract/game.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'
import { refusalOf } from '#web/platform/http.ts'
import { hasSession } from '#web/platform/session.ts'
import type { ReceiptView } from './receipt-view.ts'

/** Between two questions for a round that is not closed: the server's own copy is as old as that. */
const askAgainMs = 5_000

/** The entries of the log about a round; null for a round that is not in it, 'unsealed' where the first one waits for its beat. */
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

/** Lines that a page of the screen shows. It has to divide the receipt's own page. */
export const SHOWN_LINES = 25

export type LinesPage = { readonly lines: readonly string[]; readonly total: number }

/** The settled bets of a closed round, as many as the receipt's page has; `page` is that page, from 1. */
export const linesQuery = (roundId: string, page: number) => ({
  ...endpointQuery(
    ['receipt'],
    bookEndpoints.readReceiptBets,
    { params: { id: roundId }, query: { page } },
    ({ rows, meta }): LinesPage => ({ lines: rows, total: meta.total }),
  ),
  staleTime: Infinity,
})

/** The receipt's page that holds a page of the screen, and where that begins in it. */
export function placeOfShown(shownPage: number): { readonly page: number; readonly from: number } {
  const first = (shownPage - 1) * SHOWN_LINES
  return { page: Math.floor(first / RECEIPT_PAGE) + 1, from: first % RECEIPT_PAGE }
}

/** The signed-in player's bets of a round, asked for once more when it is closed; none for visitors and staff. */
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
