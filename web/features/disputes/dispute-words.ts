import type { Dispute } from '#contract/disputes.ts'
import type { DisputeStatus } from '#domain/disputes/dispute.ts'
import { profitOf } from '#domain/game/bet.ts'
import { formatCount, formatGoldNumber, formatWholeAmount } from '#web/platform/formats.ts'
import type { BadgeTone } from '#web/ui/badge.tsx'
import { disputeTexts as texts } from './dispute-texts.ts'

/** The tones are not those of wins and losses, since an answer to a dispute is neither a win nor a loss. */
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

/** Returns the bet's entry and exit price; null if staff or a script decided the bet. */
export const pricesText = ({ bet }: Dispute): string | null =>
  bet.basis === 'PRICE' ? `${priceText(bet.entryPrice)}\u00A0→ ${priceText(bet.exitPrice)}` : null

/** Returns the corrections that leave the player as if the bet were voided or won; each is null if it adds nothing. */
export function usualCorrections({ bet }: Dispute) {
  const rateMinor = profitOf(bet.round.type, bet.stakeMinor)
  if (bet.status === 'lost') return { voidMinor: rateMinor, wonMinor: 2n * rateMinor }
  return { voidMinor: null, wonMinor: bet.status === 'voided' ? rateMinor : null }
}
