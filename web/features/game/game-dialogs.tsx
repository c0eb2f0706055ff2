import { type ReactNode, useEffect, useState } from 'react'
import { afterDrawing, useLazyPart } from '#web/platform/lazy-part.ts'
import type { GameBet } from './api.ts'
import { betButtonId, gameMenuId } from './bet-form-id.ts'
import type { Betting } from './use-betting.ts'
import type { Game } from './use-game.ts'
import type { ResultPopup } from './use-result-popup.ts'

const loadPopup = () => import('./result-popup.tsx')
const loadShortcuts = afterDrawing(() => import('./shortcuts.tsx'))
const loadRules = () => import('./rules-sheet.tsx')
const loadPractice = afterDrawing(() => import('./practice-sheet.tsx'))

export type GameDialogsProps = {
  readonly game: Game
  readonly betting: Betting
  readonly popup: ResultPopup
  readonly seal: (bet: GameBet) => ReactNode
}

export function GameDialogs({ game, betting, popup, seal }: GameDialogsProps) {
  const { rules, isPlayer } = betting
  const { part: rulesPart } = useLazyPart(loadRules, rules.shown === 'rules')
  const isPracticeNear = rules.mustPractise && isPlayer
  const { part: practice } = useLazyPart(loadPractice, rules.shown === 'practice' || isPracticeNear)
  // If a press on a bet button opened the practice, the focus returns to that button.
  const returnsTo = rules.isBeforeBet && betting.chosen !== null ? betButtonId(betting.chosen.direction) : undefined
  // The popup's code loads while a bet runs, so that the result appears at once.
  const { part: popupPart } = useLazyPart(loadPopup, game.held.bet !== null || popup.bet !== null)
  const { bet: held, isStanding } = game.held
  useEffect(() => {
    if (isStanding && held !== null) popupPart?.prefetchPicture(held)
  }, [isStanding, held, popupPart])

  const [areShortcutsListed, setAreShortcutsListed] = useState(false)
  const { part: shortcuts } = useLazyPart(loadShortcuts, isPlayer)
  return (
    <>
      {shortcuts !== undefined && (
        <shortcuts.Shortcuts betting={betting} isListed={areShortcutsListed} onListed={setAreShortcutsListed} />
      )}
      {rules.shown === 'practice' && practice !== undefined && (
        <practice.PracticeSheet returnsTo={returnsTo} onRules={rules.open} onClose={rules.leave} />
      )}
      {rules.shown === 'rules' && rulesPart !== undefined && (
        <rulesPart.RulesSheet
          // Without a chosen order, the menu opened this sheet. The menu is closed now, so its button gets the focus.
          returnsTo={returnsTo ?? gameMenuId}
          onPractice={rules.practise}
          onUnderstood={rules.leave}
          onShortcuts={() => {
            rules.close()
            setAreShortcutsListed(true)
          }}
          onClose={rules.close}
        />
      )}
      {popup.bet !== null && !isStanding && popupPart !== undefined && (
        <popupPart.ResultPopupDialog bet={popup.bet} seal={seal(popup.bet)} onClose={popup.close} />
      )}
    </>
  )
}
