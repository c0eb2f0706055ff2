import { queryOptions } from '@tanstack/react-query'
import { type Bet, type CurrentRound, gameEndpoints } from '#contract/game.ts'
import { identityEndpoints, type UserConfig } from '#contract/identity.ts'
import { type RoundType, windowOf } from '#domain/game/calendar.ts'
import { noteTold, recordQuote } from '#web/platform/live-prices.ts'
import { callEndpoint, type CallInput, type ListPage, withoutServerTime, firstCall } from '#web/platform/api.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'
import { sharedKeys } from '#web/platform/query-keys.ts'
import { serverNowMs } from '#web/platform/server-time.ts'

/** The current round of a type, without the server's time and the feed's newest price. */
export type GameRound = Omit<CurrentRound, 'serverTimeMs' | 'feed'> & {
  /** When gold trading reopens. Null while trading is open, or without a live source (rules §5.5). */
  readonly goldReopensAtMs: number | null
}
/** Returns the parts of a round that React renders. The feed's newest price goes to live-prices.ts. */
function lastingParts({ serverTimeMs: _, feed, ...round }: CurrentRound): GameRound {
  recordQuote(feed)
  return { ...round, goldReopensAtMs: feed.goldReopensAtMs }
}

export type GameBet = Omit<Bet, 'serverTimeMs'>
export type PlayerConfig = Omit<UserConfig, 'serverTimeMs'>

export type CurrentAnswer =
  | { readonly kind: 'round'; readonly round: GameRound }
  | {
      readonly kind: 'none' | 'deleted'
      readonly nextOpensAtMs: number
      readonly roundNumber: number
      /** The price source of the type's newest round. Its prices stay on screen. Null before the first round. */
      readonly priceSource: string | null
    }

/** A screen that opens refetches an answer that is older than this. */
const justAskedMs = 1_000

export const currentRoundKey = {
  all: sharedKeys.rounds,
  of: (type: RoundType) => [...sharedKeys.rounds, type],
} as const

export const currentRoundQuery = (type: RoundType) =>
  queryOptions({
    queryKey: currentRoundKey.of(type),
    queryFn: async ({ signal }): Promise<CurrentAnswer> => {
      const round = await callEndpoint(gameEndpoints.currentRound, { query: { type }, signal })
      noteTold()
      if (round !== null) return { kind: 'round', round: lastingParts(round) }
      // Null means no round or a deleted round. The type's newest row shows which of the two.
      const { rows } = await callEndpoint(gameEndpoints.listRoundsByType, {
        params: { type },
        query: { limit: 1 },
        signal,
      })
      const window = windowOf(type, serverNowMs())
      const isDeleted = rows.some((row) => row.isDeleted && row.roundNumber === window.roundNumber)
      return {
        kind: isDeleted ? 'deleted' : 'none',
        nextOpensAtMs: window.closesAtMs,
        roundNumber: window.roundNumber,
        priceSource: rows[0]?.priceSource ?? null,
      }
    },
    staleTime: justAskedMs,
  })

/** The number of recent results that fit in one line on a screen of 320 px. */
const shownRounds = 9
/** Three more rows are fetched, because rounds that have not ended and deleted rounds are left out. */
const recentRounds = { page: 1, limit: shownRounds + 3 }

export const recentRoundsQuery = (type: RoundType) =>
  endpointQuery(
    currentRoundKey.of(type),
    gameEndpoints.listRoundsByType,
    { params: { type }, query: recentRounds },
    ({ rows }) => rows.filter((round) => round.status === 'ended' && !round.isDeleted).slice(0, shownRounds),
  )

export const betsPerPage = 10

export const betsKey = sharedKeys.bets

export type BetsPage = { readonly bets: readonly GameBet[]; readonly total: number; readonly hasMore: boolean }

export const readBetsPage = ({ rows, meta }: ListPage<readonly Bet[]>): BetsPage => ({
  bets: rows.map(withoutServerTime),
  total: meta.total,
  hasMore: meta.hasMore,
})

/** The player's own bets, newest first: an open bet is the first one of page 1. */
export const betsQuery = (page: number) => ({
  ...endpointQuery(betsKey, gameEndpoints.listOwnBets, { query: { page, limit: betsPerPage } }, readBetsPage),
  staleTime: justAskedMs,
})

/** The polling interval while a change of the round or of an open bet is due. */
export const dueMs = 1_000

/** Returns the time until an open bet's entry or result, at least `dueMs` (rules §2.10). False without an open bet. */
export function untilDueMs(bets: readonly GameBet[] | undefined): number | false {
  const open = bets?.find(({ status }) => status === 'open')
  if (open === undefined) return false
  const awaitsEntry = open.basis === 'PRICE' && open.entryPrice === null
  const dueAtMs = awaitsEntry ? Math.min(open.entryFromMs, open.closesAtMs) : open.closesAtMs
  return Math.max(dueMs, dueAtMs - serverNowMs())
}

/** Polls for an open bet's entry, which no socket event reports, and for its result, whose event may be lost. */
export const untilSettled = {
  refetchInterval: ({ state: { data } }: { readonly state: { readonly data: BetsPage | undefined } }) =>
    untilDueMs(data?.bets),
}

export const configQuery = endpointQuery(sharedKeys.config, identityEndpoints.config, {}, withoutServerTime<UserConfig>)

/** The calls of the game screen that are sent while its code is loading (web/boot/first-calls.ts). */
export const firstCalls = (type: RoundType) => [
  firstCall(gameEndpoints.currentRound, { query: { type } }),
  firstCall(identityEndpoints.config, {}),
  firstCall(gameEndpoints.listOwnBets, { query: { page: 1, limit: betsPerPage } }),
  firstCall(gameEndpoints.listRoundsByType, { params: { type }, query: recentRounds }),
]

export type BetOrder = Omit<CallInput<typeof gameEndpoints.placeBet>['body'], 'userId'>

/** @param idempotencyKey the same when an order is sent again, so that the order is placed once (rules §3.5) */
export async function placeBet(userId: string, order: BetOrder, idempotencyKey: string): Promise<GameBet> {
  const body = { ...order, userId }
  return withoutServerTime(await callEndpoint(gameEndpoints.placeBet, { body, idempotencyKey }))
}
