import { useEffect, useEffectEvent, useState } from 'react'
import type { Me } from '#contract/identity.ts'
import type { RefusalCode } from '#contract/refusals.ts'
import { type Direction, PRESET_STAKES } from '#domain/game/bet.ts'
import { MINOR_PER_POINT } from '#domain/money.ts'
import { minorTyped } from '#domain/typed-number.ts'
import { clientErrorCodes, failureText, isRetryable, isUnexpected, refusalOf } from '#web/platform/http.ts'
import { createIntentKeys } from '#web/platform/intent-keys.ts'
import { useIsOnline } from '#web/platform/online.ts'
import { pause } from '#web/platform/pause.ts'
import { queryClient, refresh } from '#web/platform/query-client.ts'
import { useAct } from '#web/ui/use-act.ts'
import { deviceNowMs, serverNowMs } from '#web/platform/server-time.ts'
import { type BetOrder, configQuery, currentRoundKey, type GameBet, type GameRound, placeBet } from './api.ts'
import { betButtonId, betFormId } from './bet-form-id.ts'
import { decideGate, shownBasis } from './bet-gate.ts'
import { gameTexts } from './game-texts.ts'
import { type Game, refreshGame, showPlacedBet } from './use-game.ts'
import { readRulesRead, writeRulesRead } from '#web/platform/storage.ts'

type ChosenOrder = Pick<BetOrder, 'stakeMinor' | 'direction'> & Pick<GameRound, 'type'>

export type Betting = ReturnType<typeof useBetting>

/**
 * Sends orders. The message about a failed order stays until a bet of the player appears or the stake changes. If the
 * order was certainly not placed, the message also disappears when another round takes bets.
 */
function useOrders(game: Game, me: Me, onPlaced: (bet: GameBet, order: BetOrder) => void) {
  const [isDisclosureStale, setIsDisclosureStale] = useState(false)
  /** The round on screen when the last order failed. Undefined if that order may have been placed. */
  const [refusedInRoundId, setRefusedInRoundId] = useState<string>()
  const [withKey] = useState(createIntentKeys)

  /** Blocks further orders until the basis that decides bets is loaded again (rules §1.2). */
  const showDisclosure = async () => {
    setIsDisclosureStale(true)
    await reloadDisclosure()
    setIsDisclosureStale(false)
  }
  const act = useAct({
    failText: betFailure,
    run: async (order: BetOrder) => {
      try {
        const bet = await withKey(order, (key) => placeBet(me.id, order, key))
        onPlaced(bet, order)
        // The bet's card is about to replace the pressed button, so the focus moves to the form.
        if (document.activeElement?.id === betButtonId(order.direction)) document.getElementById(betFormId)?.focus()
        showPlacedBet(bet)
      } catch (error) {
        if (refusalOf<'placeBet'>(error)?.code === 'DISCLOSURE_CHANGED') void showDisclosure()
        else void refreshGame()
        throw error
      }
    },
    onFailure: (error, { roundId }) => {
      setRefusedInRoundId(isRefused(error) ? (game.round?.id ?? roundId) : undefined)
      return false
    },
  })
  useForgetting(game.held.bet !== null && !act.isBusy, act.forget)
  return { ...act, isDisclosureStale, refusedInRoundId }
}

function useForgetting(isOver: boolean, forget: () => void) {
  const forgetNow = useEffectEvent(forget)
  useEffect(() => {
    if (isOver) forgetNow()
  }, [isOver])
}

function useChoice() {
  /** The stake as typed, in points. */
  const [stake, setStake] = useState(String(PRESET_STAKES[0]))
  /** The side that "Đặt lại" (repeat) filled in. Null again once a bet is placed. */
  const [repeated, setRepeated] = useState<Direction | null>(null)
  /** The order that the practice delayed. Null again once a stake is chosen or a bet is placed. */
  const [chosen, setChosen] = useState<ChosenOrder | null>(null)
  /** The round in which the form was submitted without a direction (spec §5.2). */
  const [undirectedInRoundId, setUndirectedInRoundId] = useState<string>()
  return {
    ...{ stake, repeated, chosen, undirectedInRoundId, setRepeated, setChosen, setUndirectedInRoundId },
    setStake: (digits: string) => {
      setStake(digits)
      setChosen(null)
      setUndirectedInRoundId(undefined)
    },
  }
}

export function useBetting(game: Game, me: Me, onPlaced: (bet: GameBet, order: BetOrder) => void) {
  const choice = useChoice()
  const [placedId, setPlacedId] = useState<string>()
  const rules = useRules(game.latestBets?.total)
  const isOnline = useIsOnline()
  const sending = useOrders(game, me, (bet, order) => {
    onPlaced(bet, order)
    choice.setRepeated(null)
    choice.setChosen(null)
    setPlacedId(bet.id)
  })

  const gate = decideGate({
    view: game.view,
    config: game.config,
    openBet: game.openBet,
    isResultStanding: game.held.isStanding,
    areBetsKnown: game.latestBets !== undefined,
    stake: choice.stake,
    isOnline,
    isSending: sending.isBusy,
    isDisclosureStale: sending.isDisclosureStale,
    nowMs: serverNowMs(),
  })
  const roundId = gate.isOpen ? gate.round.id : undefined
  const { refusedInRoundId } = sending
  useForgetting(roundId !== undefined && refusedInRoundId !== undefined && refusedInRoundId !== roundId, sending.forget)

  const changeStake = (digits: string) => {
    choice.setStake(digits)
    sending.forget()
  }

  return {
    isPlayer: me.role === 'player',
    stake: choice.stake,
    setStake: changeStake,
    stakeMinor: minorTyped(choice.stake, 'whole'),
    repeated: choice.repeated,
    chosen: choice.chosen,
    /** Fills in the stake and side of the last bet, but places no bet (rules §8). */
    repeat: ({ stakeMinor, direction }: Pick<GameBet, 'stakeMinor' | 'direction'>) => {
      changeStake(String(stakeMinor / MINOR_PER_POINT))
      choice.setRepeated(direction)
    },
    /** Whether a bet is shown instead of the stakes: an open bet, or the last one while its result is shown. */
    holdsBet: game.held.bet !== null,
    gate,
    basis: shownBasis(game.config?.scriptedOutcome ?? null, game.round),
    isSending: sending.isBusy,
    /** Whether the shown bet was sent from this page. */
    isPlaced: game.held.bet !== null && game.held.bet.id === placedId,
    failure:
      roundId !== undefined && roundId === choice.undirectedInRoundId ? gameTexts.directionRequired : sending.failure,
    /** Sends an order, or opens the practice if that has to come first. Does nothing while the gate is closed. */
    bet: (direction: Direction) => {
      if (!gate.isOpen) return
      if (rules.mustPractise) {
        // After the practice the order is shown again, but only a new press on a bet button sends one (rules §2.12).
        choice.setChosen({ stakeMinor: gate.stakeMinor, direction, type: gate.round.type })
        return rules.practiseBeforeBet()
      }
      choice.setUndirectedInRoundId(undefined)
      sending.start({ roundId: gate.round.id, stakeMinor: gate.stakeMinor, direction, seenBasis: gate.basis })
    },
    askForDirection: () => choice.setUndirectedInRoundId(roundId),
    rules,
  }
}

/** Refetches the configuration and the rounds on screen, until each answer is newer than this call. */
async function reloadDisclosure(): Promise<void> {
  const keys = [configQuery.queryKey, currentRoundKey.all]
  const calledAtMs = deviceNowMs()
  const isLoaded = () =>
    keys
      .flatMap((queryKey) => queryClient.getQueryCache().findAll({ queryKey, type: 'active' }))
      .every((query) => query.state.dataUpdatedAt >= calledAtMs)
  while (!isLoaded()) {
    await refresh(...keys)
    if (!isLoaded()) await pause(1_000)
  }
}

/** With these refusals no bet was placed. Other answers with a status of 5xx leave open whether a bet was placed. */
const unplaced: readonly unknown[] = ['LEDGER_CHECK_FAILED', 'CLOCK_UNSURE'] satisfies readonly RefusalCode[]

/** Returns whether the server has certainly placed no bet. */
function isRefused(error: unknown): boolean {
  const { status = 0, code } = refusalOf(error) ?? {}
  return unplaced.includes(code) || (status >= 400 && !isRetryable(error))
}

/** Returns the server's sentence, or a general one if no answer came or the server failed unexpectedly (spec §8.2). */
function betFailure(error: unknown): string {
  const isSilent = refusalOf(error)?.code === clientErrorCodes.unsure || isUnexpected(error)
  return isSilent ? gameTexts.betFailed : failureText(error, gameTexts.betFailed)
}

export function useRules(betsEver: number | undefined) {
  const [areKnown, setAreKnown] = useState(readRulesRead)
  const [shown, setShown] = useState<'rules' | 'practice' | null>(null)
  const [isBeforeBet, setIsBeforeBet] = useState(false)
  const close = () => {
    setShown(null)
    setIsBeforeBet(false)
  }
  const remember = () => {
    writeRulesRead()
    setAreKnown(true)
  }
  return {
    /** Whether the practice has to be shown before the first bet. */
    mustPractise: betsEver === 0 && !areKnown,
    shown,
    /** True while a sheet is open because of a press on a bet button: the practice, or the rules opened from it. */
    isBeforeBet,
    practiseBeforeBet: () => {
      setIsBeforeBet(true)
      setShown('practice')
    },
    open: () => {
      // Only the last card of the practice leads to the rules, so the player has now seen the whole practice.
      if (shown === 'practice') remember()
      setShown('rules')
    },
    practise: () => setShown('practice'),
    /** Closes the sheet and remembers the rules as read, so that no practice comes before the first bet. */
    leave: () => {
      remember()
      close()
    },
    /** Closes the sheet without noting that the rules were read. */
    close,
  }
}
