import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { backOfficeEndpoints, type Overview } from '#contract/back-office.ts'
import { gameEndpoints, type Round } from '#contract/game.ts'
import { PAGE_LIMIT_DEFAULT } from '#contract/limits.ts'
import type { AskedBy } from '#contract/lists.ts'
import { roundList } from '#contract/round-list.ts'
import { type RoundTotals, staffGameEndpoints } from '#contract/staff-game.ts'
import { marketEndpoints } from '#contract/market.ts'
import type { Direction } from '#domain/game/bet.ts'
import { ROUND_TYPES, type RoundType, windowOf } from '#domain/game/calendar.ts'
import { adminKeys } from '#web/lists/admin-keys.ts'
import { callEndpoint, firstCall } from '#web/platform/api.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import type { PageAsk, PageQuery } from '#web/lists/list-pages.ts'
import { declared, type FilterValues, readView } from '#web/lists/table-search.ts'

export type { Round } from '#contract/game.ts'

const { filters, asked, ...order } = declared(roundList)

/** The parameters that the list's address can hold, and the query that they form. */
export const roundListSpec = {
  ...order,
  filters: { type: ROUND_TYPES, ...filters },
  asked: ({ type, ...others }: FilterValues<typeof filters> & { readonly type: RoundType }): RoundFilters => ({
    type,
    ...asked(others),
  }),
}

/**
 * Calls that the list of rounds makes if its address has no parameters. web/boot/first-calls.ts sends them before any
 * code has measured the window, so the initial number of rows must not depend on the window's size.
 */
export const firstCalls = () => {
  const { page, limit, sort, filters: values } = readView({}, roundListSpec, PAGE_LIMIT_DEFAULT)
  const params = { type: values.type }
  return [
    firstCall(backOfficeEndpoints.overview, {}),
    firstCall(gameEndpoints.listRoundsByType, { params, query: newestRound }),
    firstCall(gameEndpoints.listRoundsByType, { params, query: { page, limit, sort } }),
  ]
}

/** Answers younger than this are not requested again: they may have arrived while the screen's code was loading. */
const freshMs = 1_000

export type RoundFilters = AskedBy<typeof roundList.filters> & { readonly type: RoundType }

export const roundsPage = ({ type, ids, ...query }: PageAsk & RoundFilters): PageQuery<Round> => ({
  queryKey: [...adminKeys.rounds, type, 'page', query, ids],
  queryFn: ({ signal }) =>
    ids === undefined
      ? callEndpoint(gameEndpoints.listRoundsByType, { params: { type }, query, signal })
      : callEndpoint(gameEndpoints.listRounds, { query: { ...query, ids }, signal }),
  staleTime: freshMs,
})

export const roundTotalsQuery = (query: RoundFilters) => ({
  ...endpointQuery([...adminKeys.rounds, query.type], staffGameEndpoints.sumRounds, { query }),
  placeholderData: keepPreviousData<RoundTotals>,
})

export type RunningRound = Overview['rounds'][number]

export type CurrentState =
  | { readonly kind: 'round'; readonly round: Round; readonly stakes: RunningRound | null }
  | { readonly kind: 'none' | 'deleted'; readonly nextOpensAtMs: number }

/** Bets keep arriving while the page is open, so the page polls. */
const refetchMs = 5_000

const newestRound = { limit: 1 }

/** The current round of a type, with the stakes on each side, which staff see before they act on the round. */
export const currentQuery = (type: RoundType) =>
  queryOptions({
    queryKey: [...adminKeys.rounds, type, 'current'],
    queryFn: async ({ signal }): Promise<CurrentState> => {
      const [{ rounds }, newest] = await Promise.all([
        callEndpoint(backOfficeEndpoints.overview, { signal }),
        callEndpoint(gameEndpoints.listRoundsByType, { params: { type }, query: newestRound, signal }),
      ])
      const window = windowOf(type, serverNowMs())
      const round = newest.rows.find(({ roundNumber }) => roundNumber === window.roundNumber)
      if (round === undefined) return { kind: 'none', nextOpensAtMs: window.closesAtMs }
      if (round.isDeleted) return { kind: 'deleted', nextOpensAtMs: window.closesAtMs }
      return { kind: 'round', round, stakes: rounds.find(({ id }) => id === round.id) ?? null }
    },
    staleTime: freshMs,
    refetchInterval: refetchMs,
  })

/** A round with the sums of its bets, even if staff removed it from the list; null if no round has the id. */
export const roundQuery = (roundId: string) =>
  queryOptions({
    ...endpointQuery(
      [...adminKeys.rounds, 'one'],
      gameEndpoints.listRounds,
      { query: { ids: [roundId], limit: 1 } },
      ({ rows }): Round | null => rows[0] ?? null,
    ),
    refetchInterval: ({ state }) => (state.data != null && state.data.status !== 'ended' ? refetchMs : false),
  })

/** The prices of a round by the second, up to now while the round runs. */
export const roundTicksQuery = ({ id, priceSource, opensAtMs, closesAtMs, status }: Round) => ({
  ...endpointQuery(
    [...adminKeys.rounds, 'ticks', id, status],
    marketEndpoints.listTicks,
    { query: { source: priceSource, from: opensAtMs, to: closesAtMs } },
    ({ ticks }) => ticks,
  ),
  refetchInterval: status === 'ended' ? (false as const) : refetchMs,
})

export const setResult = (roundId: string, result: Direction): Promise<Round> =>
  callEndpoint(staffGameEndpoints.setResult, { params: { id: roundId }, body: { result } })

export const deleteRound = (roundId: string) =>
  callEndpoint(staffGameEndpoints.deleteRound, { params: { id: roundId } })

export const forceCreateRound = (type: RoundType) =>
  callEndpoint(staffGameEndpoints.forceCreateRound, { params: { type } })
