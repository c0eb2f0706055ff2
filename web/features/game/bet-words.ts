import type { Basis, BetStatus, Direction, VoidReason } from '#domain/game/bet.ts'
import { gameTexts } from './game-texts.ts'

export const basisWords: Readonly<Record<Basis, string>> = {
  PRICE: gameTexts.basisPrice,
  ADMIN: gameTexts.basisAdmin,
  SCRIPTED: gameTexts.basisScripted,
}

export const statusWords: Readonly<Record<BetStatus, { readonly label: string }>> = {
  open: { label: gameTexts.statusOpen },
  won: { label: gameTexts.statusWon },
  lost: { label: gameTexts.statusLost },
  voided: { label: gameTexts.refunded },
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
