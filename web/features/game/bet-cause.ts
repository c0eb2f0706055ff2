import { formatGoldPrice, formatWholeAmount } from '#web/platform/formats.ts'
import type { GameBet } from './api.ts'
import { directionWords, voidWords } from './bet-words.ts'
import { betsTexts } from './bets-texts.ts'

/** Names the player's choice. Adds the reason for a void, or the price's move if the price decided the bet. */
export function betCause(bet: GameBet): string {
  const order = [directionWords[bet.direction].label, formatWholeAmount(bet.stakeMinor)] as const
  if (bet.voidReason !== null) return betsTexts.because(voidWords[bet.voidReason], ...order)
  if (bet.basis !== 'PRICE' || bet.entryPrice === null || bet.exitPrice === null) return betsTexts.youChose(...order)
  const change = bet.exitPrice - bet.entryPrice
  return betsTexts.because(betsTexts.moved[change > 0 ? 'up' : 'down'](formatGoldPrice(Math.abs(change))), ...order)
}
