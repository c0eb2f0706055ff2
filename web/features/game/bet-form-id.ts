import type { Direction } from '#domain/game/bet.ts'

/** The id by which the skip link, the shortcuts and a dialog that closes find the bet form and its buttons. */
export const betFormId = 'bet-form'
export const betButtonId = (direction: Direction) => `bet-${direction}` as const
