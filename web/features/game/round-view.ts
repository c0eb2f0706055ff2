import type { Silence } from '#web/platform/live-prices.ts'
import type { CurrentAnswer, GameRound } from './api.ts'

/**
 * The state of the selected round. `opening`: its first second (spec §4.3). `closing`: from its lock to its end.
 * `settling`: from its end until the next round is known. `away`: the server has sent nothing about prices for 5 s.
 */
export type RoundView =
  | { readonly state: 'loading' }
  | { readonly state: 'unreachable'; readonly error: unknown }
  | { readonly state: 'none' | 'deleted'; readonly nextOpensAtMs: number; readonly roundNumber: number }
  | {
      readonly state: 'opening' | 'running' | 'feed-closed' | 'closing' | 'settling'
      readonly round: GameRound
    }
  | { readonly state: 'away'; readonly round: GameRound | null }

/** How long the buttons stay inactive after a countdown has ended (spec §4.3). */
export const openingMs = 1_000

/** Returns the instants at which the clock alone changes a round's state, in ascending order. */
export const edgesOf = (round: GameRound): readonly number[] => [
  round.opensAtMs + openingMs,
  round.locksAtMs,
  round.closesAtMs,
]

export function viewRound(
  answer: { readonly data: CurrentAnswer | undefined; readonly error: unknown },
  nowMs: number,
): RoundView {
  if (answer.data === undefined) {
    return answer.error === null ? { state: 'loading' } : { state: 'unreachable', error: answer.error }
  }
  if (answer.data.kind !== 'round') {
    const { kind, nextOpensAtMs, roundNumber } = answer.data
    return { state: kind, nextOpensAtMs, roundNumber }
  }
  const { round } = answer.data
  if (nowMs >= round.closesAtMs) return { state: 'settling', round }
  if (nowMs >= round.locksAtMs) return { state: 'closing', round }
  if (!round.isBettingOpen) return { state: 'feed-closed', round }
  return { state: nowMs < round.opensAtMs + openingMs ? 'opening' : 'running', round }
}

export const roundOf = (view: RoundView): GameRound | null => ('round' in view ? view.round : null)

/** Returns `view`. If the price on screen is too old, returns a view in which no bet can be placed (rules §5.4). */
export function whileSilent(view: RoundView, silence: Silence): RoundView {
  if (silence === null || view.state === 'loading' || view.state === 'unreachable') return view
  if (silence === 'server') return { state: 'away', round: roundOf(view) }
  if (view.state !== 'running' && view.state !== 'opening') return view
  if (silence === 'asked') return { state: 'loading' }
  return { state: 'feed-closed', round: view.round }
}
