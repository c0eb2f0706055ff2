import { queryOptions } from '@tanstack/react-query'
import { bookEndpoints, type Receipt, RECEIPT_PAGE } from '#contract/book.ts'
import { gameEndpoints } from '#contract/game.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'
import { refusalOf } from '#web/platform/http.ts'
import { hasSession } from '#web/platform/session.ts'

/** Between two questions for a round that is not closed: the server's own copy is as old as that. */
const askAgainMs = 5_000

/** What the log says about a round; null for a round that is not in it. */
export const receiptQuery = (roundId: string) =>
  queryOptions({
    queryKey: ['receipt', roundId],
    queryFn: async ({ signal }): Promise<Receipt | null> => {
      // An address that names no round is not in the book either.
      if (!bookEndpoints.readReceipt.params.safeParse({ id: roundId }).success) return null
      try {
        return await callEndpoint(bookEndpoints.readReceipt, { params: { id: roundId }, signal })
      } catch (error) {
        const code = refusalOf<'readReceipt'>(error)?.code
        if (code === 'NOT_IN_BOOK') return null
        throw error
      }
    },
    refetchInterval: ({ state }) => (state.data != null && state.data.closed === null ? askAgainMs : false),
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

/** Which of these bets are the signed-in player's; none for visitors and staff. */
export const ownBetsAmongQuery = (betIds: readonly string[]) => ({
  ...endpointQuery(
    ['receipt'],
    gameEndpoints.listOwnBets,
    { query: { ids: [...betIds], limit: SHOWN_LINES } },
    ({ rows }): readonly string[] => rows.map(({ id }) => id),
  ),
  enabled: betIds.length > 0 && hasSession(),
  staleTime: Infinity,
  retry: false,
})
