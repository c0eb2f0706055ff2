import { replaceEqualDeep } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { RoundType } from '#domain/game/calendar.ts'
import type { GameBet, GameRound } from './api.ts'

const standingMs = 1_500

/**
 * Returns the bet that is shown instead of the stakes: the open bet, or for `standingMs` a settled bet. A settled bet
 * is shown only if it was open on this page, its type is selected and the price decided it (rules §2.11).
 */
export function useHeldBet(bets: readonly GameBet[] | undefined, type: RoundType, selectedRound: GameRound | null) {
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
