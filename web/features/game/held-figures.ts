import { outcomeByPrice } from '#domain/game/settle.ts'
import { formatGoldPrice, formatSignedAmount } from '#web/platform/formats.ts'
import type { GameBet } from './api.ts'
import { gameTexts } from './game-texts.ts'

/** Which way a figure points: by its sign for an outcome, by the price's move for a difference. */
export type Way = 'up' | 'down' | 'flat'

export type HeldFigures = {
  readonly price: string
  readonly difference: { readonly text: string; readonly way: Way }
  readonly outcome: { readonly text: string; readonly way: Way }
}

const unknown = { text: '–', way: 'flat' } as const

/**
 * What the card of a bet that the price decides says at a price: the price, its difference from the entry, and the
 * outcome of the settlement's own rule if the round ended with it (rules §2.5). Before the entry there is neither.
 * @param price thousandths of a dollar: the newest one while the bet is open, then its exit; null without one
 */
export function heldFigures(bet: GameBet, price: number | null): HeldFigures {
  const priceText = price === null ? unknown.text : formatGoldPrice(price)
  if (price === null || bet.entryPrice === null) return { price: priceText, difference: unknown, outcome: unknown }
  const change = price - bet.entryPrice
  return { price: priceText, difference: differenceOf(change), outcome: outcomeOf(bet, bet.entryPrice, price) }
}

const arrows: Readonly<Record<Way, string>> = { up: '▲ ', down: '▼ ', flat: '' }
const wayOf = (size: number | bigint): Way => (size > 0 ? 'up' : size < 0 ? 'down' : 'flat')

function differenceOf(change: number): HeldFigures['difference'] {
  const way = wayOf(change)
  return { text: arrows[way] + formatGoldPrice(Math.abs(change)), way }
}

function outcomeOf(bet: GameBet, entryPrice: number, price: number): HeldFigures['outcome'] {
  const { status, profitMinor } = outcomeByPrice(bet.round.type, bet, entryPrice, price)
  return status === 'voided'
    ? { text: gameTexts.refunded, way: 'flat' }
    : { text: formatSignedAmount(profitMinor), way: wayOf(profitMinor) }
}
