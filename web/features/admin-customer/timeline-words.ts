import type { TimelineEntry } from '#contract/customer.ts'
import type { TimelineKind } from '#domain/customer/timeline.ts'
import { TRANSFER_REASONS, type TransferReason } from '#domain/ledger/transfers.ts'
import { formatAmount, formatCount, formatWholeAmount } from '#web/platform/formats.ts'
import type { BadgeTone } from '#web/ui/badge.tsx'
import { adminCustomerTexts as texts } from './admin-customer-texts.ts'

/** Functions of other features that put data into words. A screen passes them in, since no feature imports another. */
export type CustomerWords = {
  /** Returns a device in words, from the browser's user agent. */
  readonly device: (userAgent: string | null) => string
  readonly reason: (reason: TransferReason) => string
  /** Returns the label of an act of the audit log, from its stored name. */
  readonly act: (act: string) => string
  /** Returns the change by an act on one line; '' if the act changed no field. */
  readonly change: (sides: { readonly before: unknown; readonly after: unknown }) => string
  readonly statuses: Readonly<Record<'bet' | 'request', Readonly<Record<string, EntryWords['badge']>>>>
}

export type EntryWords = {
  readonly title: string
  /** A second line; null if there is nothing to add. */
  readonly detail: string | null
  readonly amount?: { readonly minor: bigint; readonly isSigned: boolean }
  readonly badge?: { readonly label: string; readonly tone: BadgeTone } | undefined
}

const decided = (kind: string | null, status: string | null): string =>
  kind === 'deposit'
    ? status === 'approved'
      ? texts.depositApproved
      : texts.depositRejected
    : status === 'approved'
      ? texts.withdrawalApproved
      : texts.withdrawalRejected

export const actorText = (actor: string): string => (actor === 'system' ? texts.system : actor)

const actorWords = (actor: string | null): string | null => (actor === null ? null : texts.by(actorText(actor)))

const joined = (...parts: ReadonlyArray<string | null | undefined>): string | null =>
  parts.filter((part) => part !== null && part !== undefined && part !== '').join(' · ') || null

type Describe = (entry: TimelineEntry, words: CustomerWords) => EntryWords

const describes: Readonly<Record<TimelineKind, Describe>> = {
  account: () => ({ title: texts.registered, detail: null }),
  session: ({ word, text }, { device }) => ({ title: texts.signedIn, detail: joined(device(word), text) }),
  bank: ({ word, text }) => ({ title: texts.linkedBank, detail: joined(word, text) }),
  limits: () => ({ title: texts.changedLimits, detail: null }),
  bet: ({ word, amountMinor, profitMinor, status, round }, { statuses }) => ({
    title: texts.placedBet(word === 'up' ? texts.up : texts.down, formatWholeAmount(amountMinor ?? 0n)),
    detail: round === null ? null : texts.inRound(round.type, formatCount(round.roundNumber)),
    ...(profitMinor !== null && { amount: { minor: profitMinor, isSigned: true } }),
    badge: statuses.bet[status ?? ''],
  }),
  request: ({ word, amountMinor, status }, { statuses }) => ({
    title: word === 'deposit' ? texts.askedDeposit : texts.askedWithdrawal,
    detail: null,
    amount: { minor: amountMinor ?? 0n, isSigned: false },
    badge: statuses.request[status ?? ''],
  }),
  decision: ({ word, amountMinor, status, text, actor }) => ({
    title: decided(word, status),
    detail: joined(actorWords(actor), text),
    amount: { minor: amountMinor ?? 0n, isSigned: false },
  }),
  transfer: ({ word, amountMinor, text, actor }, { reason }) => ({
    title: TRANSFER_REASONS.flatMap((one) => (one === word ? [reason(one)] : []))[0] ?? word ?? '',
    detail: joined(actorWords(actor), text),
    amount: { minor: amountMinor ?? 0n, isSigned: true },
  }),
  conversation: ({ actor }) => ({ title: texts.openedConversation(actor ?? ''), detail: null }),
  dispute: ({ text }) => ({ title: texts.disputed, detail: text }),
  answer: ({ status, text, actor, amountMinor }) => ({
    title: status === 'upheld' ? texts.disputeUpheld : texts.disputeRejected,
    detail: joined(actorWords(actor), text),
    ...(amountMinor !== null && { amount: { minor: amountMinor, isSigned: true } }),
  }),
  act: ({ word, actor, text, before, after }, { act, change }) => ({
    title: act(word ?? ''),
    detail: joined(actorWords(actor), change({ before, after }), text),
  }),
  note: ({ actor, text }) => ({ title: texts.noted(actor ?? ''), detail: text }),
}

export const entryWords: Describe = (entry, words) => describes[entry.kind](entry, words)

/** Returns an amount with its unit: `1,000.00 điểm`. */
export const pointsText = (minor: bigint): string => texts.points(formatAmount(minor))
