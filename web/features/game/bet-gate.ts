import { type Basis, basisNow, type BetRefusal, decidePlaceBet, type ScriptedOutcome } from '#domain/game/bet.ts'
import { minorTyped } from '#domain/typed-number.ts'
import { gameTexts } from './game-texts.ts'
import type { GameBet, GameRound, PlayerConfig } from './api.ts'
import { roundOf, type RoundView } from './round-view.ts'

/** The state of the bet buttons: active, or inactive with a reason to show. */
export type Gate =
  | { readonly isOpen: true; readonly round: GameRound; readonly stakeMinor: bigint; readonly basis: Basis }
  | { readonly isOpen: false; readonly reason: string }

export type GateInput = {
  readonly view: RoundView
  readonly config: PlayerConfig | undefined
  readonly openBet: GameBet | null
  /** True while the last bet's result is shown instead of the stakes (rules §2.11). */
  readonly isResultStanding: boolean
  /** False until the player's bets are loaded, because one of them may be open. */
  readonly areBetsKnown: boolean
  readonly stake: string
  readonly isOnline: boolean
  readonly isSending: boolean
  /** True from a refusal with DISCLOSURE_CHANGED until the deciding basis is loaded again (rules §1.2). */
  readonly isDisclosureStale: boolean
  readonly nowMs: number
}

const closed = (reason: string): Gate => ({ isOpen: false, reason })

/** Returns the basis that would decide a bet on this round now, as shown to the player (rules §1.2). */
export const shownBasis = (scripted: ScriptedOutcome | null, round: GameRound | null): Basis =>
  // The direction that staff set is secret. `basisNow` only tests for null, so 'up' stands for either direction.
  basisNow(scripted, round?.resultSource === 'ADMIN' ? 'up' : null)

/** Decides whether a bet can be sent now: first by the state of this page, then by the server's rule (spec §5.2). */
export function decideGate(input: GateInput): Gate {
  const { view, config, openBet } = input
  if (!input.isOnline) return closed(gameTexts.offline)
  if (view.state === 'unreachable') return closed(gameTexts.roundUnreachable)
  if (view.state === 'loading' || config === undefined || !input.areBetsKnown) return closed(gameTexts.gateLoading)
  if (view.state === 'away') return closed(gameTexts.serverAwayNoBets)
  if (input.isSending) return closed(gameTexts.betSending)
  if (input.isDisclosureStale) return closed(gameTexts.disclosureUnread)
  // A player with an open bet waits for its result, so this reason comes before the states below (spec §4.3).
  if (openBet !== null) return closed(gameTexts.betOpen)
  if (input.isResultStanding) return closed(gameTexts.resultStanding)
  if (view.state === 'deleted') return closed(gameTexts.roundDeleted)
  if (view.state === 'settling') return closed(gameTexts.roundSettling)
  if (view.state === 'opening') return closed(gameTexts.roundOpening)

  const round = roundOf(view)
  const basis = shownBasis(config.scriptedOutcome, round)
  const stakeMinor = minorTyped(input.stake, 'whole') ?? 0n
  const decision = decidePlaceBet({
    round: round && {
      ...round,
      isRunning: round.status === 'running',
      staffDirection: round.resultSource === 'ADMIN' ? 'up' : null,
      isFeedOpen: view.state !== 'feed-closed',
      // Only the server knows whether the entry price may be public. If so, it closes betting: `isFeedOpen` is false.
      isEntryTold: false,
    },
    player: {
      isStaff: false,
      isFrozen: config.isFrozen,
      scriptedOutcome: config.scriptedOutcome,
      walletMinor: config.balanceMinor,
      stakedMinor: 0n,
      // The server checks the pending deposits, which matter only if the balance is near its limit.
      pendingDepositsMinor: 0n,
      limits: null,
    },
    stakeMinor,
    direction: 'up',
    seenBasis: basis,
    nowMs: input.nowMs,
  })
  if (!decision.ok)
    return closed((decision.refusal === 'FEED_CLOSED' && round?.feedReason) || reasons[decision.refusal])
  if (round === null) return closed(gameTexts.noRound)
  return { isOpen: true, round, stakeMinor, basis }
}

const reasons: Readonly<Record<BetRefusal, string>> = {
  STAFF_CANNOT_PLAY: gameTexts.staffDoNotPlay,
  ACCOUNT_PAUSED: gameTexts.accountPaused,
  ROUND_NOT_FOUND: gameTexts.noRound,
  ROUND_CLOSING: gameTexts.roundClosing,
  FEED_CLOSED: gameTexts.feedClosed,
  STAKE_INVALID: gameTexts.stakeInvalid,
  AMOUNT_LIMIT: gameTexts.stakeTooLarge,
  BET_OPEN: gameTexts.betOpen,
  INSUFFICIENT_BALANCE: gameTexts.balanceTooLow,
  // The values that `decideGate` passes to the rule exclude these refusals, so only the server gives them.
  DISCLOSURE_CHANGED: gameTexts.disclosureUnread,
  TIMED_OUT: gameTexts.betFailed,
  STAKE_LIMIT: gameTexts.betFailed,
  LOSS_LIMIT: gameTexts.betFailed,
  CLOCK_UNSURE: gameTexts.betFailed,
}
