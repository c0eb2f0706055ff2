import { gameEndpoints } from '#contract/game.ts'
import { type Day, dayAfter, startOfDayMs } from '#domain/day.ts'
import type { BetStatus } from '#domain/game/bet.ts'
import type { RoundType } from '#domain/game/calendar.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'
import { notKept } from '#web/platform/query-client.ts'
import { betsKey, betsPerPage, type GameBet, readBetsPage } from './api.ts'

/** The filters of the bet list. Null selects all. The days are days in Vietnam, both inclusive. */
export type BetsFilter = {
  readonly type: RoundType | null
  readonly status: BetStatus | null
  readonly fromDay: Day | null
  readonly toDay: Day | null
}

export const everyBet: BetsFilter = { type: null, status: null, fromDay: null, toDay: null }

const periodOf = ({ type, fromDay, toDay }: BetsFilter) => ({
  ...(type !== null && { type }),
  ...(fromDay !== null && { from: startOfDayMs(fromDay) }),
  ...(toDay !== null && { to: startOfDayMs(dayAfter(toDay)) }),
})

/** A player may try many filters, so the answers to filtered queries are not kept on the device. */
const metaOf = (filters: object) => (Object.keys(filters).length > 0 ? { meta: notKept } : {})

export const filteredBetsQuery = (filter: BetsFilter, page: number) => {
  const { status } = filter
  const filters = { ...periodOf(filter), ...(status !== null && { status }) }
  const query = { ...filters, page, limit: betsPerPage }
  return { ...endpointQuery(betsKey, gameEndpoints.listOwnBets, { query }, readBetsPage), ...metaOf(filters) }
}

export const betsSummaryKey = [...betsKey, gameEndpoints.sumOwnBets.path]

/** The totals of the bets that match the filter's type and days. The filter's status is ignored. */
export const betsSummaryQuery = (filter: BetsFilter) => {
  const query = periodOf(filter)
  return { ...endpointQuery(betsKey, gameEndpoints.sumOwnBets, { query }), ...metaOf(query) }
}

/** One of the player's own bets. Null if none has this id. */
export const oneBetQuery = (betId: string) => ({
  ...endpointQuery(
    betsKey,
    gameEndpoints.listOwnBets,
    { query: { ids: [betId] } },
    (answer): GameBet | null => readBetsPage(answer).bets[0] ?? null,
  ),
  meta: notKept,
})

/** The prices around a bet, fetched anew once its entry or its result is known. */
export const betTicksQuery = ({ id, entryAtMs, status }: Pick<GameBet, 'id' | 'entryAtMs' | 'status'>) => ({
  ...endpointQuery([...betsKey, entryAtMs, status], gameEndpoints.listBetTicks, { params: { id } }),
  meta: notKept,
})
