import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type Bet } from '#contract/game.ts'
import { PAGE_LIMIT_MAX } from '#contract/limits.ts'
import { type BetCounts, staffGameEndpoints } from '#contract/staff-game.ts'
import type { Basis, BetStatus, VoidReason } from '#domain/game/bet.ts'
import type { RoundType } from '#domain/game/calendar.ts'
import { adminKeys } from '#web/ui/data-table/admin-keys.ts'
import { callEndpoint } from '#web/platform/api.ts'
import type { PageAsk, PageQuery } from '#web/ui/data-table/use-admin-list.ts'

export type { Bet } from '#contract/game.ts'

export type BetFilters = {
  readonly username?: string
  readonly userId?: string
  readonly status?: BetStatus
  readonly type?: RoundType
  readonly roundId?: string
  readonly from?: number
  readonly to?: number
  readonly min?: number
  readonly max?: number
  readonly basis?: Basis
  readonly voidReason?: VoidReason
  readonly by?: string
}
export type BetListQuery = PageAsk & BetFilters

/** Bets are placed and settled all the time, so the list is read again this often; the rows update in place. */
const refetchMs = 10_000

export const betsPage = (query: BetListQuery): PageQuery<Bet> => ({
  queryKey: [...adminKeys.bets, 'page', query],
  queryFn: ({ signal }) => callEndpoint(staffGameEndpoints.listBets, { query, signal }),
  refetchInterval: refetchMs,
})

/** The seconds in which the newest bets of a round entered, as many bets as one page has. */
export const entrySecondsQuery = (roundId: string) =>
  queryOptions({
    queryKey: [...adminKeys.bets, 'entries', roundId],
    queryFn: async ({ signal }): Promise<readonly number[]> => {
      const query = { page: 1, limit: PAGE_LIMIT_MAX, sort: '-createdAt', roundId }
      const { rows } = await callEndpoint(staffGameEndpoints.listBets, { query, signal })
      return [...new Set(rows.flatMap(({ entryAtMs }) => (entryAtMs === null ? [] : Math.floor(entryAtMs / 1000))))]
    },
    refetchInterval: refetchMs,
  })

/** How many bets of a filter were won, lost, are open or void (spec §2: win, lose and in-progress counters), and their sums. */
export const betCountsQuery = (query: BetFilters) =>
  queryOptions({
    queryKey: [...adminKeys.bets, 'counts', query],
    queryFn: ({ signal }): Promise<BetCounts> => callEndpoint(staffGameEndpoints.countBets, { query, signal }),
    refetchInterval: refetchMs,
    placeholderData: keepPreviousData,
  })

export async function deleteBet(betId: string): Promise<void> {
  await callEndpoint(staffGameEndpoints.deleteBet, { params: { id: betId } })
}
