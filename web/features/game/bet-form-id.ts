import type { Direction } from '#domain/game/bet.ts'

export const betFormId = 'bet-form'
export const gameMenuId = 'game-menu'
export const betButtonId = (direction: Direction) => `bet-${direction}` as const
