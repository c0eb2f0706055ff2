import { dayMinuteText } from '#web/platform/day-minute.ts'
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

/** Returns the amount with the sign of the change: negative for a withdrawal. */
export const signedMinor = ({ kind, amountMinor }: Proposal): bigint =>
  kind === 'withdrawal' ? -amountMinor : amountMinor

/** Returns why nobody can confirm an open proposal now, in short and in a sentence; null if somebody can. */
export function waitingWords({ hasSecondPerson, secondPeople = [], expiresAtMs }: Proposal): {
  readonly short: string
  readonly why: string
} | null {
  if (hasSecondPerson) return null
  const fromMs = Math.min(...secondPeople.map((one) => one.fromMs))
  if (!(fromMs < expiresAtMs)) return { short: texts.nobodyElse, why: texts.nobodyElseWhy }
  const names = secondPeople.filter((one) => one.fromMs === fromMs).map(({ username }) => username)
  const from = dayMinuteText(fromMs)
  return { short: texts.nobodyYet(from), why: texts.nobodyYetWhy(names.join(', '), from) }
}

/** Returns why this admin can't confirm an open proposal now; null if they can, or if `secondPeople` is not known. */
export function notYouWords(proposal: Proposal, meId: string, nowMs: number): string | null {
  const { secondPeople } = proposal
  if (secondPeople === undefined || secondPeople.some(({ id, fromMs }) => id === meId && fromMs <= nowMs)) return null
  const names = secondPeople.filter(({ fromMs }) => fromMs <= nowMs).map(({ username }) => username)
  return waitingWords(proposal)?.why ?? texts.notYouWhy(names.join(', '))
}

/** Returns the balance, or for a withdrawal the reserved points, before and after the proposal's confirmation. */
export function changeText({ kind, amountMinor, balanceMinor, reservedMinor }: Proposal) {
  const change = (beforeMinor: bigint, afterMinor: bigint) =>
    texts.change(formatAmount(beforeMinor), formatAmount(afterMinor))
  return kind === 'withdrawal'
    ? { label: texts.reserved, text: change(reservedMinor, reservedMinor - amountMinor) }
    : { label: texts.balance, text: change(balanceMinor, balanceMinor + amountMinor) }
}
