import type { Basis, BetStatus, Direction, VoidReason } from '#domain/game/bet.ts'
import { gameTexts } from './game-texts.ts'
import type { BadgeTone } from '#web/ui/badge.tsx'

/** Labels of a bet, shared by the popup and History. */

export const basisWords: Readonly<Record<Basis, string>> = {
  PRICE: gameTexts.basisPrice,
  ADMIN: gameTexts.basisAdmin,
  SCRIPTED: gameTexts.basisScripted,
}

export const statusWords: Readonly<Record<BetStatus, { readonly label: string; readonly tone: BadgeTone }>> = {
  open: { label: gameTexts.statusOpen, tone: 'info' },
  won: { label: gameTexts.statusWon, tone: 'up' },
  lost: { label: gameTexts.statusLost, tone: 'down' },
  voided: { label: gameTexts.refunded, tone: 'neutral' },
}

export const voidWords: Readonly<Record<VoidReason, string>> = {
  TIE: gameTexts.voidTie,
  NO_TICK: gameTexts.voidNoTick,
  ROUND_DELETED: gameTexts.voidRoundDeleted,
}

export const directionWords: Readonly<Record<Direction, { readonly label: string; readonly arrow: string }>> = {
  up: { label: gameTexts.buy, arrow: '▲' },
  down: { label: gameTexts.sell, arrow: '▼' },
}
