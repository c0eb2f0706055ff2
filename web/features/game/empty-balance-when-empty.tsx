import { REFILL_BELOW_MINOR } from '#domain/game/refill.ts'
import { afterDrawing, useLazyPart } from '#web/platform/lazy-part.ts'
import type { Game } from './use-game.ts'

const load = afterDrawing(() => import('./empty-balance.tsx'))

/** Shows `EmptyBalance` if the balance is below 10 points and no bet is shown (rules §3.7). */
export function EmptyBalanceWhenEmpty({ game: { config, openBet, held } }: { readonly game: Game }) {
  const isEmpty = config !== undefined && config.balanceMinor < REFILL_BELOW_MINOR
  const isWanted = isEmpty && openBet === null && held.bet === null
  const { part } = useLazyPart(load, isWanted)
  return isWanted && part !== undefined ? <part.EmptyBalance balanceMinor={config.balanceMinor} /> : null
}
