import type { Dispute } from '#contract/disputes.ts'
import type { DisputeStatus } from '#domain/disputes/dispute.ts'
import { profitOf } from '#domain/game/bet.ts'
import { formatCount, formatGoldNumber, formatWholeAmount } from '#web/platform/formats.ts'
import type { BadgeTone } from '#web/ui/badge.tsx'
import { disputeTexts as texts } from './dispute-texts.ts'

/** States look alike but for their words: an answer is no win and no loss (rules §8). */
export const statusWords: Readonly<Record<DisputeStatus, { readonly label: string; readonly tone: BadgeTone }>> = {
  open: { label: texts.waiting, tone: 'warn' },
  upheld: { label: texts.upheld, tone: 'info' },
  rejected: { label: texts.rejected, tone: 'neutral' },
}

export const roundText = ({ bet: { round } }: Dispute): string => `${round.type} #${formatCount(round.roundNumber)}`

export const titleOf = (dispute: Dispute): string => texts.card(roundText(dispute))

export const betText = ({ bet }: Dispute): string =>
  texts.betOf(texts[bet.direction], formatWholeAmount(bet.stakeMinor))

const priceText = (price: number | null): string => (price === null ? texts.noPrice : formatGoldNumber(price))

/** Null where the price does not decide (rules §1.2). */
export const pricesText = ({ bet }: Dispute): string | null =>
  bet.basis === 'PRICE' ? `${priceText(bet.entryPrice)}\u00A0→ ${priceText(bet.exitPrice)}` : null

/** The player's balance if the bet had been returned, or won: corrections that staff most often need. */
export function usualCorrections({ bet }: Dispute) {
  const rateMinor = profitOf(bet.round.type, bet.stakeMinor)
  if (bet.status === 'lost') return { voidMinor: rateMinor, wonMinor: 2n * rateMinor }
  return { voidMinor: null, wonMinor: bet.status === 'voided' ? rateMinor : null }
}
