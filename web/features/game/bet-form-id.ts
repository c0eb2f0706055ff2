import type { Direction } from '#domain/game/bet.ts'

/** Ids by which the skip link, shortcuts and closing dialogs find the bet form, its buttons and the menu's button. */
export const betFormId = 'bet-form'
export const gameMenuId = 'game-menu'
export const betButtonId = (direction: Direction) => `bet-${direction}` as const
