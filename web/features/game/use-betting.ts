import { useState } from 'react'
import { type Basis, type Direction, PRESET_STAKES } from '#domain/game/bet.ts'
import { useIsOnline } from '#web/platform/online.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { gameTexts } from './game-texts.ts'
import { decideGate, type Gate, shownBasis, stakeFromDigits } from './bet-gate.ts'
import { roundOf } from './round-view.ts'
import type { Game } from './use-game.ts'
import { usePlaceBet } from './use-place-bet.ts'

export type Betting = {
  /** Digits; '' while nothing is chosen. */
  readonly stake: string
  readonly setStake: (digits: string) => void
  readonly stakeMinor: bigint | null
  readonly gate: Gate
  readonly basis: Basis
  readonly isSending: boolean
  readonly failure: string | null
  readonly bet: (direction: Direction) => void
  /** Enter in the amount: a stake without a direction (spec §5). */
  readonly askForDirection: () => void
}

/** The bet being put together: its stake, whether it can be sent, and what became of the last one. */
export function useBetting(game: Game, userId: string): Betting {
  // The smallest preset to begin with.
  const [stake, setStake] = useState(String(PRESET_STAKES[0]))
  const [isDirectionMissing, setIsDirectionMissing] = useState(false)
  const place = usePlaceBet(userId)
  const isOnline = useIsOnline()
  const gate = decideGate({
    view: game.view,
    config: game.config,
    openBet: game.openBet,
    areBetsKnown: game.latestBets !== undefined,
    stake,
    isOnline,
    isSending: place.isSending,
    isDisclosureStale: place.isDisclosureStale,
    nowMs: serverNowMs(),
  })
  return {
    stake,
    setStake: (digits) => {
      setStake(digits)
      setIsDirectionMissing(false)
      place.clearFailure()
    },
    stakeMinor: stakeFromDigits(stake),
    gate,
    basis: shownBasis(game.config?.scriptedOutcome ?? null, roundOf(game.view)),
    isSending: place.isSending,
    failure: isDirectionMissing && gate.isOpen ? gameTexts.directionRequired : place.failure,
    bet: (direction) => {
      if (!gate.isOpen) return
      setIsDirectionMissing(false)
      place.send({ roundId: gate.round.id, stakeMinor: gate.stakeMinor, direction, seenBasis: gate.basis })
    },
    askForDirection: () => setIsDirectionMissing(true),
  }
}
