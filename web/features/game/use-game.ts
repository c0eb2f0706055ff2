import { noop, useQuery, replaceEqualDeep } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore, useState } from 'react'
import { REFRESH_AFTER_COUNTDOWN_MS } from '#contract/limits.ts'
import type { RoundType } from '#domain/game/calendar.ts'
import { isLive } from '#domain/market/sources.ts'
import { areTicksSilent, useSilence } from '#web/platform/live-prices.ts'
import { useIsOnline } from '#web/platform/online.ts'
import { queryClient, refresh } from '#web/platform/query-client.ts'
import { sharedKeys } from '#web/platform/query-keys.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { connectionState, onConnectionChanged, onServerEvent, reconnectNow, stayJoined } from '#web/platform/socket.ts'
import { onInstants, usePassedInstants } from '#web/platform/ticker.ts'
import {
  betsKey,
  betsPerPage,
  betsQuery,
  configQuery,
  currentRoundKey,
  currentRoundQuery,
  type CurrentAnswer,
  dueMs,
  type GameBet,
  recentRoundsQuery,
  untilDueMs,
  type GameRound,
} from './api.ts'
import { edgesOf, roundOf, viewRound, whileSilent } from './round-view.ts'

/**
 * Polling intervals: `withoutHintsMs` while a change may come without an event of the socket, and `withoutTicksMs`
 * while the socket sends no ticks. `withoutTicksMs` is below 5 s, because betting needs a price that is at most 5 s old
 * (rules §5.4).
 */
const withoutHintsMs = 5_000
const withoutTicksMs = 3_000

export type Game = ReturnType<typeof useGame>

export function useGame(type: RoundType) {
  useGameHints(type)
  const isConnected = useSyncExternalStore(onConnectionChanged, isSocketConnected)
  const fallbackMs = isConnected ? false : withoutHintsMs

  const current = useQuery({
    ...currentRoundQuery(type),
    refetchInterval: ({ state }) => {
      // A dead connection may look alive, as after the device has slept, so missing ticks also start polling.
      const ms = Math.min(
        roundIntervalMs(state.data, serverNowMs()) ?? Infinity,
        isConnected && !areTicksSilent() ? Infinity : withoutTicksMs,
      )
      return ms < Infinity && ms
    },
  })
  const bets = useQuery({
    ...betsQuery(1),
    refetchInterval: ({ state }) => untilDueMs(state.data?.bets) || fallbackMs,
  })
  const config = useQuery({ ...configQuery, refetchInterval: fallbackMs })

  const known = current.data?.kind === 'round' ? current.data.round : null
  usePassedInstants(known === null ? [] : edgesOf(known))
  useRefreshAfterCountdown(known?.id, known?.opensAtMs)
  const priceSource = current.data?.kind === 'round' ? current.data.round.priceSource : current.data?.priceSource
  const silence = useSilence(priceSource)
  const isOnline = useIsOnline()

  // Without a network the first failure is shown at once, without waiting for the retries.
  const error = current.error ?? (isOnline ? null : current.failureReason)
  const seen = viewRound({ data: current.data, error }, serverNowMs())
  const view = whileSilent(seen, silence)
  const openBet = bets.data?.bets.find((bet) => bet.status === 'open') ?? null
  return {
    view,
    round: roundOf(view),
    /** The price source of the current or newest round. Null before the first round, undefined until loaded. */
    priceSource,
    config: config.data,
    latestBets: bets.data,
    openBet,
    held: useHeldBet(bets.data?.bets, type, roundOf(view)),
  }
}

const isSocketConnected = () => connectionState() === 'connected'

function roundIntervalMs(answer: CurrentAnswer | undefined, nowMs: number): number | null {
  if (answer === undefined) return null
  if (answer.kind !== 'round') return Math.min(withoutHintsMs, Math.max(dueMs, answer.nextOpensAtMs - nowMs))
  const { round } = answer
  if (nowMs >= round.closesAtMs || !round.isBettingOpen) return dueMs
  // The server emits no event when a live feed falls silent. Only a fetched round shows this, so the round is polled.
  return isLive(round.priceSource) ? withoutHintsMs : null
}

/** Refetches the data 1 s after the round has begun (spec §4.4). */
function useRefreshAfterCountdown(roundId: string | undefined, opensAtMs: number | undefined): void {
  useEffect(() => {
    if (roundId === undefined || opensAtMs === undefined) return
    return onInstants([opensAtMs + REFRESH_AFTER_COUNTDOWN_MS], () => void refreshGame())
  }, [roundId, opensAtMs])
}

/** Reconnects, and refetches rounds, bets and balance. Returns false if one of these queries on screen failed. */
export async function refreshGame(): Promise<boolean> {
  reconnectNow()
  const keys = [currentRoundKey.all, betsKey, sharedKeys.config]
  await refresh(...keys)
  const shown = keys.flatMap((queryKey) => queryClient.getQueryCache().findAll({ queryKey, type: 'active' }))
  return shown.every(({ state }) => state.status !== 'error')
}

/**
 * Shows an accepted bet, so that the buttons become inactive at once. Events of the socket update bets and balance;
 * without these events, this function refetches both.
 */
export function showPlacedBet(bet: GameBet): void {
  queryClient.setQueryData(betsQuery(1).queryKey, (page) =>
    page === undefined || page.bets.some((one) => one.id === bet.id)
      ? page
      : { ...page, bets: [bet, ...page.bets].slice(0, betsPerPage), total: page.total + 1 },
  )
  if (!isSocketConnected() || areTicksSilent()) void refresh(betsKey, sharedKeys.config)
}

export function prefetchGame(type: RoundType): void {
  queryClient.query(currentRoundQuery(type)).catch(noop)
  queryClient.query(configQuery).catch(noop)
  queryClient.query(betsQuery(1)).catch(noop)
  queryClient.query(recentRoundsQuery(type)).catch(noop)
}

function useGameHints(type: RoundType): void {
  useEffect(() => stayJoined('watch_game', 'unwatch_game', { type }), [type])
  useEffect(() => onServerEvent('round_changed', (hint) => void refresh(currentRoundKey.of(hint.type))), [])
  useEffect(() => onServerEvent('bet_changed', () => void refresh(betsKey)), [])
}

const standingMs = 1_500

/**
 * Returns the bet that is shown instead of the stakes: the open bet, or for `standingMs` a settled bet. A settled bet
 * is shown only if it was open on this page, its type is selected and the price decided it (rules §2.11).
 */
function useHeldBet(bets: readonly GameBet[] | undefined, type: RoundType, selectedRound: GameRound | null) {
  const [followedId, setFollowedId] = useState<string>()
  const [knownRound, setKnownRound] = useState<GameRound | null>(null)

  const open = bets?.find(({ status }) => status === 'open')
  const settled = open === undefined ? bets?.find(({ id }) => id === followedId) : undefined
  const standing = settled?.basis === 'PRICE' && settled.round.type === type ? settled : undefined
  if (open !== undefined && open.id !== followedId) setFollowedId(open.id)
  if (settled !== undefined && standing === undefined) setFollowedId(undefined)

  const standingId = standing?.id
  useEffect(() => {
    if (standingId === undefined) return
    const timer = setTimeout(() => setFollowedId(undefined), standingMs)
    return () => clearTimeout(timer)
  }, [standingId])

  const bet = open ?? standing ?? null
  // The bet's round is kept when another round is selected. Rounds are compared by content, because setting an equal
  // but new object at each render would render again without end.
  const isItsRound = bet !== null && selectedRound?.id === bet.round.id
  const round = isItsRound ? replaceEqualDeep(knownRound, selectedRound) : knownRound
  if (round !== knownRound) setKnownRound(round)
  return {
    /** The open bet of any type, or the same bet for a moment after it is settled. */
    bet,
    round: round?.id === bet?.round.id ? round : null,
    /** True while `bet` is settled, before the popup with its result opens. */
    isStanding: standing !== undefined,
  }
}
