import type { RoundType } from '#domain/game/calendar.ts'
import { afterDrawing, useLazyPart } from '#web/platform/lazy-part.ts'
import type { Betting } from './use-betting.ts'
import type { Game } from './use-game.ts'
import { useResultPopup } from './use-result-popup.ts'

const loadPopup = () => import('./result-popup.tsx')
const loadRules = afterDrawing(() => import('./rules-sheet.tsx'))

export type GameDialogsProps = { readonly type: RoundType; readonly game: Game; readonly betting: Betting }

/** The dialogs over the game: the rules, on request and before the first bet, and the latest bet's result. */
export function GameDialogs({ type, game, betting }: GameDialogsProps) {
  const { rules, isPlayer } = betting
  // Prefetched for a player without bets: no bet is sent until the rules were read.
  const { part: rulesPart } = useLazyPart(loadRules, rules.isOpen || (rules.mustRead && isPlayer))
  const popup = useResultPopup(game.latestBets?.bets, type)
  // Prefetched while a bet runs, so that its result appears without delay.
  const { part: popupPart } = useLazyPart(loadPopup, game.openBet !== null || popup.bet !== null)
  return (
    <>
      {rules.isOpen && rulesPart !== undefined && (
        <rulesPart.RulesSheet isBeforeBet={rules.isBeforeBet} onUnderstood={rules.markRead} onClose={rules.close} />
      )}
      {popup.bet !== null && popupPart !== undefined && (
        <popupPart.ResultPopupDialog bet={popup.bet} onClose={popup.close} />
      )}
    </>
  )
}
