import { useQuery } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { REFRESH_AFTER_COUNTDOWN_MS } from '#contract/limits.ts'
import type { RoundType } from '#domain/game/calendar.ts'
import { isLive } from '#domain/market/sources.ts'
import { leaveToScreen, queryClient } from '#web/platform/query-client.ts'
import { sharedKeys } from '#web/platform/query-keys.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { connectionState, onConnectionChanged, onServerEvent, stayJoined } from '#web/platform/socket.ts'
import { onInstants, usePassedInstants } from '#web/platform/ticker.ts'
import {
  betsKey,
  betsQuery,
  type BetsPage,
  configQuery,
  currentRoundKey,
  currentRoundQuery,
  type CurrentAnswer,
  type GameBet,
  type PlayerConfig,
} from './api.ts'
import { recentRoundsQuery } from './recent-rounds.tsx'
import { edgesOf, type RoundView, viewRound } from './round-view.ts'

/** While something is due the rows are asked each second (rules §2); without a socket now and then (rules §6). */
const dueMs = 1_000
const withoutHintsMs = 5_000

export type Game = {
  readonly view: RoundView
  readonly config: PlayerConfig | undefined
  readonly latestBets: BetsPage | undefined
  readonly openBet: GameBet | null
}

/** Everything the game screen knows of one type, kept current by the clock and the socket's hints. */
export function useGame(type: RoundType): Game {
  useGameHints(type)
  const isConnected = useSyncExternalStore(onConnectionChanged, () => connectionState() === 'connected')
  const fallbackMs = isConnected ? false : withoutHintsMs

  const current = useQuery({
    ...currentRoundQuery(type),
    refetchInterval: ({ state }) => roundIntervalMs(state.data, serverNowMs()) ?? fallbackMs,
  })
  const bets = useQuery({
    ...betsQuery(1),
    refetchInterval: ({ state }) => betsIntervalMs(state.data, serverNowMs()) ?? fallbackMs,
  })
  const config = useQuery({ ...configQuery, refetchInterval: fallbackMs })

  const round = current.data?.kind === 'round' ? current.data.round : null
  usePassedInstants(round === null ? [] : edgesOf(round))
  useRefreshAfterCountdown(round?.id, round?.opensAtMs)

  const view = viewRound({ data: current.data, error: current.error }, serverNowMs())
  return {
    view,
    config: config.data,
    latestBets: bets.data,
    openBet: bets.data?.bets.find((bet) => bet.status === 'open') ?? null,
  }
}

/** Null where the socket's hints are enough. */
function roundIntervalMs(answer: CurrentAnswer | undefined, nowMs: number): number | null {
  if (answer === undefined) return null
  if (answer.kind !== 'round') return Math.min(withoutHintsMs, Math.max(dueMs, answer.nextOpensAtMs - nowMs))
  const { round } = answer
  if (nowMs >= round.closesAtMs || !round.isBettingOpen) return dueMs
  // Nothing tells that a live feed fell silent; the row does.
  return isLive(round.priceSource) ? withoutHintsMs : null
}

/** Asks for an open bet's entry once it can be known, and for its end once that is due (rules §2). */
function betsIntervalMs(page: BetsPage | undefined, nowMs: number): number | null {
  const open = page?.bets.find((bet) => bet.status === 'open')
  if (open === undefined) return null
  const awaitsEntry = open.basis === 'PRICE' && open.entryPrice === null
  const dueAtMs = awaitsEntry ? Math.min(open.entryFromMs, open.closesAtMs) : open.closesAtMs
  return Math.max(dueMs, dueAtMs - nowMs)
}

/** Spec §4: 1 s after a countdown the data is asked for again. Where it ended a new round begins. */
function useRefreshAfterCountdown(roundId: string | undefined, opensAtMs: number | undefined): void {
  useEffect(() => {
    if (roundId === undefined || opensAtMs === undefined) return
    return onInstants([opensAtMs + REFRESH_AFTER_COUNTDOWN_MS], () => void refreshGame())
  }, [roundId, opensAtMs])
}

/** Asks for the rounds, the own bets and the balance again. */
export async function refreshGame(): Promise<void> {
  await Promise.all(
    [currentRoundKey.all, betsKey, sharedKeys.config].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
  )
}

/** Asks for what the screen shows of a type first, so that it is drawn with it and not before. */
export function prefetchGame(type: RoundType): void {
  queryClient.query(currentRoundQuery(type)).catch(leaveToScreen)
  queryClient.query(configQuery).catch(leaveToScreen)
  queryClient.query(betsQuery(1)).catch(leaveToScreen)
  queryClient.query(recentRoundsQuery(type)).catch(leaveToScreen)
}

/** Joins the room of the type and turns the socket's hints into what is asked for again. */
function useGameHints(type: RoundType): void {
  useEffect(() => stayJoined('watch_game', 'unwatch_game', { type }), [type])
  useEffect(() => {
    const stops = [
      onServerEvent('round_changed', (hint) => {
        void queryClient.invalidateQueries({ queryKey: currentRoundKey.of(hint.type) })
      }),
      onServerEvent('bet_changed', () => {
        void queryClient.invalidateQueries({ queryKey: betsKey })
      }),
      onServerEvent('balance_changed', ({ balanceMinor }) => {
        queryClient.setQueryData(configQuery.queryKey, (config) => config && { ...config, balanceMinor })
      }),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [])
}
