import { outcomeByPrice } from '#domain/game/settle.ts'
import { formatGoldPrice, formatSignedAmount } from '#web/platform/formats.ts'
import { commonTexts } from '#web/platform/texts.ts'
import type { GameBet } from './api.ts'
import { gameTexts } from './game-texts.ts'

type Way = 'up' | 'down' | 'flat'

export type Outcome = { readonly text: string; readonly way: Way }

export const unknownOutcome: Outcome = { text: '–', way: 'flat' }

/**
 * Returns the bet's outcome if its round ended at this price (rules §2.5), or `unknownOutcome` if a price is missing.
 * @param price in thousandths of a dollar, or null if unknown
 */
export function outcomeAt(bet: GameBet, price: number | null): Outcome {
  if (price === null || bet.entryPrice === null) return unknownOutcome
  const { status, profitMinor } = outcomeByPrice(bet.round.type, bet, bet.entryPrice, price)
  if (status === 'voided') return { text: gameTexts.refunded, way: 'flat' }
  return { text: `${formatSignedAmount(profitMinor)} ${commonTexts.points}`, way: profitMinor > 0n ? 'up' : 'down' }
}

/** Describes the change from entry to exit price. Null if one of the two prices is missing. */
export function differenceText({ entryPrice, exitPrice }: Pick<GameBet, 'entryPrice' | 'exitPrice'>): string | null {
  if (entryPrice === null || exitPrice === null) return null
  const change = exitPrice - entryPrice
  return (change > 0 ? '▲ ' : change < 0 ? '▼ ' : '') + formatGoldPrice(Math.abs(change))
}
