import { queryOptions } from '@tanstack/react-query'
import { type Bet, type BetCounts, gameEndpoints } from '#contract/game.ts'
import type { BetStatus } from '#domain/game/bet.ts'
import type { RoundType } from '#domain/game/calendar.ts'
import { adminKeys } from '#web/ui/data-table/admin-keys.ts'
import { callEndpoint } from '#web/platform/api.ts'
import type { PageAsk, PageQuery } from '#web/ui/data-table/use-admin-list.ts'

export type { Bet } from '#contract/game.ts'

export type BetListQuery = PageAsk & {
  readonly username?: string
  readonly status?: BetStatus
  readonly type?: RoundType
}

/** Bets are placed and settled all the time, so the list is read again this often; the rows update in place. */
const refetchMs = 10_000

export const betsPage = (query: BetListQuery): PageQuery<Bet> => ({
  queryKey: [...adminKeys.bets, 'page', query],
  queryFn: ({ signal }) => callEndpoint(gameEndpoints.listBets, { query, signal }),
  refetchInterval: refetchMs,
})

/** The numbers of won, lost and open bets that match a search (spec §2: win, lose and in-progress counters). */
export const betCountsQuery = (query: Pick<BetListQuery, 'username' | 'type'>) =>
  queryOptions({
    queryKey: [...adminKeys.bets, 'counts', query],
    queryFn: ({ signal }): Promise<BetCounts> => callEndpoint(gameEndpoints.countBets, { query, signal }),
    refetchInterval: refetchMs,
  })

export async function deleteBet(betId: string): Promise<void> {
  await callEndpoint(gameEndpoints.deleteBet, { params: { id: betId } })
}
