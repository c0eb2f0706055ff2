import { queryOptions } from '@tanstack/react-query'
import { backOfficeEndpoints, type Overview } from '#contract/back-office.ts'
import { gameEndpoints, type Round } from '#contract/game.ts'
import type { Direction } from '#domain/game/bet.ts'
import { ROUND_TYPES, type RoundType, windowOf } from '#domain/game/calendar.ts'
import { adminKeys } from '#web/ui/data-table/admin-keys.ts'
import { callEndpoint, firstCall } from '#web/platform/api.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { readView } from '#web/ui/data-table/table-search.ts'
import type { PageAsk, PageQuery } from '#web/ui/data-table/use-admin-list.ts'

export type { Round } from '#contract/game.ts'

/** The parameters that the list's address can hold. */
export const roundListSpec = {
  filters: { type: ROUND_TYPES },
  sorts: ['startTime'],
  firstSort: '-startTime',
} as const

/** The calls with which the list starts at its plain address (web/boot/first-calls.ts). */
export const firstCalls = () => {
  const { page, limit, sort, filters } = readView({}, roundListSpec)
  const params = { type: filters.type }
  return [
    firstCall(backOfficeEndpoints.overview, {}),
    firstCall(gameEndpoints.listRoundsByType, { params, query: newestRound }),
    firstCall(gameEndpoints.listRoundsByType, { params, query: { page, limit, sort } }),
  ]
}

/** An answer that was requested while the page's code loaded is not requested again within this time. */
const freshMs = 1_000

export const roundsPage = ({ type, ...query }: PageAsk & { readonly type: RoundType }): PageQuery<Round> => ({
  queryKey: [...adminKeys.rounds, type, 'page', query],
  queryFn: ({ signal }) => callEndpoint(gameEndpoints.listRoundsByType, { params: { type }, query, signal }),
  staleTime: freshMs,
})

export type RunningRound = Overview['rounds'][number]

/** The current state of a type: a round with the stakes on it, no round, or a round that staff deleted (rules §2). */
export type CurrentState =
  | { readonly kind: 'round'; readonly round: Round; readonly stakes: RunningRound | null }
  | { readonly kind: 'none' | 'deleted'; readonly nextOpensAtMs: number }

/** Stakes keep arriving while the page is open. */
const refetchMs = 5_000

const newestRound = { limit: 1 }

/** The running round of a type with the stakes on each side, so that a confirmation can show how much is at stake. */
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

export const setResult = (roundId: string, result: Direction): Promise<Round> =>
  callEndpoint(gameEndpoints.setResult, { params: { id: roundId }, body: { result } })

export async function deleteRound(roundId: string): Promise<void> {
  await callEndpoint(gameEndpoints.deleteRound, { params: { id: roundId } })
}

export async function forceCreateRound(type: RoundType): Promise<{ readonly roundNumber: number }> {
  return await callEndpoint(gameEndpoints.forceCreateRound, { params: { type } })
}
