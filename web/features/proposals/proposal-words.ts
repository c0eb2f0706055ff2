import type { ProposalStatus } from '#domain/four-eyes/proposal.ts'
import { formatAmount } from '#web/platform/formats.ts'
import type { BadgeTone } from '#web/ui/badge.tsx'
import type { Proposal } from './api.ts'
import { proposalTexts as texts } from './proposal-texts.ts'

export const statusTones: Readonly<Record<ProposalStatus, BadgeTone>> = {
  open: 'warn',
  confirmed: 'up',
  withdrawn: 'neutral',
  refused: 'down',
  overtaken: 'neutral',
  expired: 'neutral',
}

/** The change to what the player owns; a withdrawal leaves what was reserved. */
export const signedMinor = ({ kind, amountMinor }: Proposal): bigint =>
  kind === 'withdrawal' ? -amountMinor : amountMinor

/** Balance, or what is reserved, before and after. */
export function changeText({ kind, amountMinor, balanceMinor, reservedMinor }: Proposal): {
  readonly label: string
  readonly text: string
} {
  return kind === 'withdrawal'
    ? {
        label: texts.reserved,
        text: texts.change(formatAmount(reservedMinor), formatAmount(reservedMinor - amountMinor)),
      }
    : { label: texts.balance, text: texts.change(formatAmount(balanceMinor), formatAmount(balanceMinor + amountMinor)) }
}
