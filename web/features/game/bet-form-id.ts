import type { Direction } from '#domain/game/bet.ts'

/** The ids by which the skip link, the shortcuts and a dialog that closes find the bet form, its buttons and the menu. */
export const betFormId = 'bet-form'
export const gameMenuId = 'game-menu'
export const betButtonId = (direction: Direction) => `bet-${direction}` as const
