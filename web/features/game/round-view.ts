import type { CurrentAnswer, GameRound } from './api.ts'

/**
 * Which of its states the selected round is in; each has one component. `opening` is the second after a countdown in
 * which spec §4 keeps the buttons closed, `closing` the time from the lock to the end, `settling` what follows until the
 * next round is known.
 */
export type RoundView =
  | { readonly state: 'loading' }
  | { readonly state: 'unreachable'; readonly error: unknown }
  | { readonly state: 'none' | 'deleted'; readonly nextOpensAtMs: number; readonly roundNumber: number }
  | { readonly state: 'opening' | 'running' | 'feed-closed' | 'closing' | 'settling'; readonly round: GameRound }

/** Spec §4: the buttons stay closed for this long after a countdown has finished. */
export const openingMs = 1_000

/** The instants at which a round's state changes by itself, ascending. */
export const edgesOf = (round: GameRound): readonly number[] => [
  round.opensAtMs + openingMs,
  round.locksAtMs,
  round.closesAtMs,
]

/** @param nowMs the server's time */
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

/** The round of a view, where there is one. */
export const roundOf = (view: RoundView): GameRound | null => ('round' in view ? view.round : null)

/** The view while no price of the round's live source reaches this page any more: the buttons close at once. */
export function whileSilent(view: RoundView): RoundView {
  if (view.state !== 'running' && view.state !== 'opening') return view
  return { state: 'feed-closed', round: { ...view.round, isBettingOpen: false } }
}
