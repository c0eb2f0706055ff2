import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type Bet, type CurrentRound, gameEndpoints, type Round } from '#contract/game.ts'
import { identityEndpoints, type UserConfig } from '#contract/identity.ts'
import type { Basis, Direction } from '#domain/game/bet.ts'
import { type RoundType, windowOf } from '#domain/game/calendar.ts'
import { recordQuote } from '#web/platform/live-prices.ts'
import { callEndpoint, withoutServerTime, firstCall } from '#web/platform/api.ts'
import { sharedKeys } from '#web/platform/query-keys.ts'
import { serverNowMs } from '#web/platform/server-time.ts'

/** The selected round without the parts of the answer that change each second. */
export type GameRound = Omit<CurrentRound, 'serverTimeMs' | 'feed'> & {
  /** While gold is shut and a live source is configured: when it opens again (rules §5). */
  readonly goldReopensAtMs: number | null
}
/** The feed's newest price goes to live-prices.ts, beside the ticks, so that React renders nothing for a new one. */
function lastingParts({ serverTimeMs: _, feed, ...round }: CurrentRound): GameRound {
  recordQuote(feed)
  return { ...round, goldReopensAtMs: feed.goldReopensAtMs }
}

export type GameBet = Omit<Bet, 'serverTimeMs'>
export type PlayerConfig = Omit<UserConfig, 'serverTimeMs'>

/** What a type has now: a round, none, or one that staff deleted (rules §2). */
export type CurrentAnswer =
  | { readonly kind: 'round'; readonly round: GameRound }
  | { readonly kind: 'none' | 'deleted'; readonly nextOpensAtMs: number; readonly roundNumber: number }

/**
 * An answer that has just come is not asked for again because a screen opens. It may be older than the socket's first
 * hint: a bet on what has changed since is refused by the server (rules §1.2).
 */
const justAskedMs = 1_000

/** Query keys of every type's current round, and of one type's, which is what a hint refreshes. */
export const currentRoundKey = {
  all: ['current-round'],
  of: (type: RoundType) => ['current-round', type],
} as const

export const currentRoundQuery = (type: RoundType) =>
  queryOptions({
    queryKey: currentRoundKey.of(type),
    queryFn: async ({ signal }): Promise<CurrentAnswer> => {
      const round = await callEndpoint(gameEndpoints.currentRound, { query: { type }, signal })
      if (round !== null) return { kind: 'round', round: lastingParts(round) }
      // The answer is null for a deleted round as well as for none; the newest row of the type shows which it is.
      const { rows } = await callEndpoint(gameEndpoints.listRoundsByType, {
        params: { type },
        query: { limit: 1 },
        signal,
      })
      const window = windowOf(type, serverNowMs())
      const isDeleted = rows.some((row) => row.isDeleted && row.roundNumber === window.roundNumber)
      return { kind: isDeleted ? 'deleted' : 'none', nextOpensAtMs: window.closesAtMs, roundNumber: window.roundNumber }
    },
    staleTime: justAskedMs,
  })

/** Squares that fit beside their label at 320 px. */
const shownRounds = 9
/** Some of the newest rounds are not shown: the running one, and deleted ones. */
const recentRounds = { page: 1, limit: shownRounds + 3 }

/** Under the current round's key: what tells that a round changed refreshes both. */
export const recentRoundsQuery = (type: RoundType) =>
  queryOptions({
    queryKey: [...currentRoundKey.of(type), 'recent'],
    queryFn: async ({ signal }): Promise<readonly Round[]> => {
      const { rows } = await callEndpoint(gameEndpoints.listRoundsByType, {
        params: { type },
        query: recentRounds,
        signal,
      })
      return rows.filter((round) => round.status === 'ended' && !round.isDeleted).slice(0, shownRounds)
    },
    placeholderData: keepPreviousData,
  })

/** Rows of a History page. */
export const betsPerPage = 10

export const betsKey = ['own-bets'] as const

export type BetsPage = { readonly bets: readonly GameBet[]; readonly total: number; readonly hasMore: boolean }

/** Own bets, newest first; page 1 also shows whether one is open and which result came last. */
export const betsQuery = (page: number) =>
  queryOptions({
    queryKey: [...betsKey, page],
    queryFn: async ({ signal }): Promise<BetsPage> => {
      const { rows, meta } = await callEndpoint(gameEndpoints.listOwnBets, {
        query: { page, limit: betsPerPage },
        signal,
      })
      return { bets: rows.map(withoutServerTime), total: meta.total, hasMore: meta.hasMore }
    },
    staleTime: justAskedMs,
  })

/** Balance and script of the player (spec §7: `get-config`). */
export const configQuery = queryOptions({
  queryKey: sharedKeys.config,
  queryFn: async ({ signal }): Promise<PlayerConfig> =>
    withoutServerTime(await callEndpoint(identityEndpoints.config, { signal })),
})

/** The calls that the game screen makes first, beside the market's (web/boot/first-calls.ts). */
export const firstCalls = (type: RoundType) => [
  firstCall(gameEndpoints.currentRound, { query: { type } }),
  firstCall(identityEndpoints.config, {}),
  firstCall(gameEndpoints.listOwnBets, { query: { page: 1, limit: betsPerPage } }),
  firstCall(gameEndpoints.listRoundsByType, { params: { type }, query: recentRounds }),
]

export type BetOrder = {
  readonly roundId: string
  readonly stakeMinor: bigint
  readonly direction: Direction
  /** What the screen said would decide (rules §1.2). */
  readonly seenBasis: Basis
}

/** @param idempotencyKey the same for the same order tried again (rules §3) */
export async function placeBet(userId: string, order: BetOrder, idempotencyKey: string): Promise<GameBet> {
  const body = { ...order, userId }
  return withoutServerTime(await callEndpoint(gameEndpoints.placeBet, { body, idempotencyKey }))
}
