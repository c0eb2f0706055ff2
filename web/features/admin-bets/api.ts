import { keepPreviousData } from '@tanstack/react-query'
import { PAGE_LIMIT_MAX } from '#contract/limits.ts'
import type { AskedBy } from '#contract/lists.ts'
import { type BetCounts, type betList, staffGameEndpoints } from '#contract/staff-game.ts'
import { adminKeys } from '#web/lists/admin-keys.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'
import { pagesOf } from '#web/lists/list-pages.ts'

export type { Bet } from '#contract/game.ts'

export type BetFilters = AskedBy<typeof betList.filters>

const refetchMs = 10_000

export const betsPage = pagesOf(staffGameEndpoints.listBets, adminKeys.bets, refetchMs)

/** The distinct entry times, in whole Unix seconds, of a round's newest `PAGE_LIMIT_MAX` bets. */
export const entrySecondsQuery = (roundId: string) => ({
  ...endpointQuery(
    [...adminKeys.bets, 'entries'],
    staffGameEndpoints.listBets,
    { query: { page: 1, limit: PAGE_LIMIT_MAX, sort: '-createdAt', roundId } },
    ({ rows }): readonly number[] => [
      ...new Set(rows.flatMap(({ entryAtMs }) => (entryAtMs === null ? [] : Math.floor(entryAtMs / 1000)))),
    ],
  ),
  refetchInterval: refetchMs,
})

/** The number of bets of each status among those that match `query` (spec §2.7), and the sums of their points. */
export const betCountsQuery = (query: BetFilters) => ({
  ...endpointQuery(adminKeys.bets, staffGameEndpoints.countBets, { query }),
  refetchInterval: refetchMs,
  placeholderData: keepPreviousData<BetCounts>,
})

export const deleteBet = (betId: string) => callEndpoint(staffGameEndpoints.deleteBet, { params: { id: betId } })
