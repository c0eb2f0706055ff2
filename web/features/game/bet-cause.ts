import { formatGoldPrice, formatWholeAmount } from '#web/platform/formats.ts'
import type { GameBet } from './api.ts'
import { directionWords, voidWords } from './bet-words.ts'
import { betsTexts } from './bets-texts.ts'

/** Explains a settled bet in one sentence. If staff or a script decided the bet, says only what the player chose. */
export function betCause(bet: GameBet): string {
  const order = [directionWords[bet.direction].label, formatWholeAmount(bet.stakeMinor)] as const
  if (bet.voidReason !== null) return betsTexts.because(voidWords[bet.voidReason], ...order)
  if (bet.basis !== 'PRICE' || bet.entryPrice === null || bet.exitPrice === null) return betsTexts.youChose(...order)
  const change = bet.exitPrice - bet.entryPrice
  return betsTexts.because(betsTexts.moved[change > 0 ? 'up' : 'down'](formatGoldPrice(Math.abs(change))), ...order)
}
